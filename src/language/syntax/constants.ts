import { type Span, through } from "../source/span.js";
import { type Alternatives, type Rule, TokenReader } from "./reader.js";
import { quoted, token, word } from "./tokens.js";
import type * as Tree from "./tree.js";
import type { LiteralBody } from "./tree.js";

type ConstantBody = Tree.ConstantTree["body"];

/** Constant strings, tensors as data: the end of grammar/sphex.ebnf. */
export abstract class ConstantGrammar extends TokenReader {
  abstract readonly Type: Rule<Tree.TypeText>;

  readonly TensorText: Rule<Tree.ConstantTree> = this.RULE("TensorText", () => {
    const type = this.OPTION(() => {
      const typeText = this.SUBRULE(this.Type);
      this.eat(":");
      return typeText;
    });
    const body = this.SUBRULE(this.Constant);
    return type === undefined ? { body } : { type, body };
  });

  readonly Constant: Rule<ConstantBody> = this.RULE("Constant", () =>
    this.OR<Alternatives<ConstantBody>>([
      { ALT: () => this.SUBRULE(this.ConstantDense) },
      { ALT: () => this.SUBRULE(this.ConstantBraces) },
      { ALT: () => this.constantWord() },
    ]),
  );

  private constantWord(): Tree.ConstantWord {
    const wordToken = this.CONSUME(word);
    return { kind: "word", text: wordToken.image, span: this.at(wordToken) };
  }

  readonly ConstantDense: Rule<LiteralBody<Tree.ConstantWord>> = this.RULE("ConstantDense", () => {
    const items: ConstantBody[] = [];
    const open = this.eat("[");
    this.MANY_SEP({ SEP: token(","), DEF: () => items.push(this.SUBRULE(this.ConstantItem)) });
    const close = this.eat("]");
    return this.ACTION(
      (): LiteralBody<Tree.ConstantWord> => ({ kind: "nested", items, span: this.from(open, close) }),
    );
  });

  readonly ConstantItem: Rule<ConstantBody> = this.RULE("ConstantItem", () =>
    this.OR<Alternatives<ConstantBody>>(
      (this.constantItems ??= [
        { ALT: () => this.SUBRULE(this.ConstantDense) },
        { ALT: () => this.constantWord() },
      ]),
    ),
  );
  private constantItems: { ALT: () => ConstantBody }[] | undefined;

  readonly ConstantBraces: Rule<LiteralBody<Tree.ConstantWord>> = this.RULE("ConstantBraces", () => {
    const parts: ConstantPart[] = [];
    const open = this.eat("{");
    this.MANY_SEP({ SEP: token(","), DEF: () => parts.push(this.SUBRULE(this.ConstantEntry)) });
    const close = this.eat("}");
    return this.ACTION(() => bracesBody(parts, this.from(open, close)));
  });

  readonly ConstantEntry: Rule<ConstantPart> = this.RULE("ConstantEntry", () =>
    this.OR<Alternatives<ConstantPart>>([
      {
        ALT: () => {
          const { address, span } = this.SUBRULE(this.Address);
          this.OPTION(() => this.CONSUME(token(":")));
          const value = this.constantWord();
          return this.ACTION(() => ({ address, value, span: through(span, value.span) }));
        },
      },
      {
        ALT: () => {
          const label = this.OR2([
            { ALT: () => this.word(this.CONSUME2(word)) },
            { ALT: () => this.quotedWord(this.CONSUME(quoted)) },
          ]);
          const value = this.OPTION2(() => {
            this.CONSUME2(token(":"));
            return this.SUBRULE(this.Constant);
          });
          return value === undefined ? label : { label, value };
        },
      },
    ]),
  );

  readonly Address: Rule<{ address: { dimension: Tree.Word; label: Tree.Word }[]; span: Span }> = this.RULE(
    "Address",
    () => {
      const address: { dimension: Tree.Word; label: Tree.Word }[] = [];
      const open = this.eat("{");
      this.MANY_SEP({ SEP: token(","), DEF: () => address.push(this.SUBRULE(this.ConstantLabel)) });
      const close = this.eat("}");
      return this.ACTION(() => ({ address, span: this.from(open, close) }));
    },
  );

  readonly ConstantLabel: Rule<{ dimension: Tree.Word; label: Tree.Word }> = this.RULE(
    "ConstantLabel",
    () => {
      const dimension = this.word(this.CONSUME(word));
      this.eat(":");
      const label = this.OR([
        { ALT: () => this.word(this.CONSUME2(word)) },
        { ALT: () => this.quotedWord(this.CONSUME(quoted)) },
      ]);
      return { dimension, label };
    },
  );
}

/** What stands between the commas of a constant's braces: a cell, an entry, or the number of a scalar. */
type ConstantPart =
  | Tree.LiteralCellTree<Tree.ConstantWord>
  | Tree.LiteralEntry<Tree.ConstantWord>
  | Tree.Word;

/** Parts decide together which form the braces are: a cell, or a word alone, is no value of an entry, which the layout reports. */
function bracesBody(parts: readonly ConstantPart[], span: Span): LiteralBody<Tree.ConstantWord> {
  const cells = parts.map((part): Tree.LiteralCellTree<Tree.ConstantWord> | undefined => {
    if ("address" in part) return part;
    return "label" in part ? undefined : { address: [], value: { kind: "word", ...part }, span: part.span };
  });
  if (cells.every((cell) => cell !== undefined)) return { kind: "cells", cells, span };
  const entries = parts.map((part, at): Tree.LiteralEntry<Tree.ConstantWord> => {
    if ("label" in part) return part;
    const cell = cells[at];
    const value: LiteralBody<Tree.ConstantWord> = {
      kind: "cells",
      cells: cell === undefined ? [] : [cell],
      span: part.span,
    };
    return { label: { text: "", span: part.span }, value };
  });
  return { kind: "entries", entries, span };
}
