import { type Span, through } from "../source/span.js";
import { type Rule, TokenReader } from "./reader.js";
import { name, number, quoted, string, token, word } from "./tokens.js";
import type * as Tree from "./tree.js";
import type { LiteralBody, LiteralItem } from "./tree.js";

type ConstantBody = Tree.ConstantTree["body"];

/** Types, literals and constant strings: the second half of grammar/sphex.ebnf. */
export abstract class LiteralGrammar extends TokenReader {
  abstract readonly Expression: Rule<Tree.Expression>;

  readonly Type: Rule<Tree.TypeText> = this.RULE("Type", () => {
    const start = this.eat("tensor");
    const body = this.SUBRULE(this.TypeBody);
    return this.ACTION(() => ({ ...body, span: through(this.at(start), body.span) }));
  });

  readonly TypeBody: Rule<Tree.TypeText> = this.RULE("TypeBody", () => {
    const dimensions: Tree.DimensionText[] = [];
    const cellType = this.OPTION(() => {
      this.eat("<");
      const cell = this.CONSUME(name);
      this.eat(">");
      return this.word(cell);
    });
    const open = this.eat("(");
    this.MANY_SEP({ SEP: token(","), DEF: () => dimensions.push(this.SUBRULE(this.Dimension)) });
    const close = this.eat(")");
    return this.ACTION((): Tree.TypeText => {
      const span = this.from(open, close);
      return cellType === undefined ? { dimensions, span } : { cellType, dimensions, span };
    });
  });

  readonly Dimension: Rule<Tree.DimensionText> = this.RULE("Dimension", () => {
    const dimension = this.CONSUME(name);
    return this.OR<Tree.DimensionText>([
      {
        ALT: () => {
          this.eat("{");
          const close = this.eat("}");
          return this.ACTION(() => ({
            kind: "mapped",
            name: this.word(dimension),
            span: this.from(dimension, close),
          }));
        },
      },
      {
        ALT: () => {
          this.eat("[");
          const size = this.OPTION(() =>
            this.OR2([{ ALT: () => this.CONSUME(number) }, { ALT: () => this.CONSUME2(name) }]),
          );
          const close = this.eat("]");
          return this.ACTION((): Tree.DimensionText => {
            const sized = {
              kind: "indexed",
              name: this.word(dimension),
              span: this.from(dimension, close),
            } as const;
            return size === undefined ? sized : { ...sized, size: this.word(size) };
          });
        },
      },
    ]);
  });

  readonly Shape: Rule<Tree.Shape> = this.RULE("Shape", () => {
    const wordToken = this.OR([
      { ALT: () => this.eat("range") },
      { ALT: () => this.eat("diag") },
      { ALT: () => this.eat("random") },
    ]);
    const type = this.SUBRULE(this.TypeBody);
    return this.ACTION(
      (): Tree.Shape => ({
        kind: "shape",
        word: this.word(wordToken),
        type,
        span: through(this.at(wordToken), type.span),
      }),
    );
  });

  readonly Typed: Rule<Tree.Expression> = this.RULE("Typed", () => {
    const type = this.SUBRULE(this.Type);
    return this.OR<Tree.Expression>([
      {
        ALT: () => {
          this.eat(":");
          const body = this.SUBRULE(this.Body);
          return this.ACTION(
            (): Tree.Expression => ({ kind: "literal", type, body, span: through(type.span, body.span) }),
          );
        },
      },
      {
        ALT: () => {
          this.eat("(");
          const body = this.SUBRULE(this.Expression);
          const close = this.eat(")");
          return this.ACTION(() => ({
            kind: "generate",
            type,
            body,
            span: through(type.span, this.at(close)),
          }));
        },
      },
    ]);
  });

  readonly Body: Rule<LiteralBody<Tree.Expression>> = this.RULE("Body", () =>
    this.OR<LiteralBody<Tree.Expression>>([
      { ALT: () => this.SUBRULE(this.Nested) },
      {
        ALT: () => {
          const open = this.eat("{");
          const inner = this.OPTION(() =>
            this.OR2<LiteralBody<Tree.Expression>>([
              { ALT: () => this.SUBRULE(this.Cells) },
              { GATE: () => !this.isScalar(), ALT: () => this.SUBRULE(this.Entries) },
              { ALT: () => this.SUBRULE2(this.Nested) },
              { ALT: () => this.SUBRULE(this.Scalar) },
            ]),
          );
          const span = this.from(open, this.eat("}"));
          return this.ACTION(() =>
            inner === undefined ? { kind: "cells", cells: [], span } : { ...inner, span },
          );
        },
      },
      { ALT: () => this.SUBRULE2(this.Scalar) },
    ]),
  );

  /** `{3}` or `{-3}`: a number that is no label. */
  private isScalar(): boolean {
    return this.is(2, "}") || (this.is(1, "-") && this.is(3, "}"));
  }

  readonly Scalar: Rule<LiteralBody<Tree.Expression>> = this.RULE("Scalar", () => {
    const minus = this.OPTION(() => this.eat("-"));
    const numberToken = this.CONSUME(number);
    return this.ACTION((): LiteralBody<Tree.Expression> => {
      const size = Number.parseFloat(numberToken.image);
      const span = this.from(minus ?? numberToken, numberToken);
      const text = (minus?.image ?? "") + numberToken.image;
      return {
        kind: "scalar",
        span,
        value: { kind: "number", value: minus === undefined ? size : -size, text, span },
      };
    });
  });

  readonly Nested: Rule<LiteralBody<Tree.Expression>> = this.RULE("Nested", () => {
    const items: LiteralItem<Tree.Expression>[] = [];
    const open = this.eat("[");
    this.AT_LEAST_ONE_SEP({ SEP: token(","), DEF: () => items.push(this.SUBRULE(this.Item)) });
    const close = this.eat("]");
    return this.ACTION(
      (): LiteralBody<Tree.Expression> => ({ kind: "nested", items, span: this.from(open, close) }),
    );
  });

  readonly Item: Rule<LiteralItem<Tree.Expression>> = this.RULE("Item", () =>
    this.OR<LiteralItem<Tree.Expression>>(
      (this.itemAlternatives ??= [
        { ALT: () => this.SUBRULE(this.Nested) },
        { ALT: () => this.SUBRULE(this.Expression) },
      ]),
    ),
  );
  private itemAlternatives: { ALT: () => LiteralItem<Tree.Expression> }[] | undefined;

  readonly Cells: Rule<LiteralBody<Tree.Expression>> = this.RULE("Cells", () => {
    const cells = [this.SUBRULE(this.Cell)];
    this.MANY(() => {
      this.eat(",");
      cells.push(this.SUBRULE2(this.Cell));
    });
    return this.ACTION(
      (): LiteralBody<Tree.Expression> => ({ kind: "cells", cells, span: spanOfAll(cells) }),
    );
  });

  readonly Cell: Rule<Tree.LiteralCellTree<Tree.Expression>> = this.RULE("Cell", () => {
    const address: { dimension: Tree.Word; label: Tree.Word }[] = [];
    const open = this.eat("{");
    this.MANY_SEP({
      SEP: token(","),
      DEF: () => {
        const dimension = this.word(this.CONSUME(name));
        this.CONSUME(token(":"));
        address.push({ dimension, label: this.SUBRULE(this.Label) });
      },
    });
    this.eat("}");
    this.CONSUME2(token(":"));
    const value = this.SUBRULE(this.Expression);
    return this.ACTION(() => ({ address, value, span: through(this.at(open), value.span) }));
  });

  readonly Entries: Rule<LiteralBody<Tree.Expression>> = this.RULE("Entries", () => {
    const entries = [this.SUBRULE(this.Entry)];
    this.MANY(() => {
      this.eat(",");
      entries.push(this.SUBRULE2(this.Entry));
    });
    return this.ACTION(
      (): LiteralBody<Tree.Expression> => ({
        kind: "entries",
        entries,
        span: spanOfAll(entries.map((each) => each.label)),
      }),
    );
  });

  readonly Entry: Rule<Tree.LiteralEntry<Tree.Expression>> = this.RULE("Entry", () => {
    const label = this.SUBRULE(this.Label);
    this.eat(":");
    const value = this.OR<LiteralItem<Tree.Expression>>([
      { ALT: () => this.SUBRULE(this.Nested) },
      {
        ALT: () => {
          const open = this.eat("{");
          const inner = this.SUBRULE(this.Entries);
          const span = this.from(open, this.eat("}"));
          return this.ACTION(() => ({ ...inner, span }));
        },
      },
      { ALT: () => this.SUBRULE(this.Expression) },
    ]);
    return { label, value };
  });

  readonly Label: Rule<Tree.Word> = this.RULE("Label", () =>
    this.OR<Tree.Word>([
      { ALT: () => this.word(this.CONSUME(name)) },
      { ALT: () => this.quotedWord(this.CONSUME(string)) },
      {
        ALT: () => {
          const minus = this.OPTION(() => this.eat("-"));
          const numberToken = this.CONSUME(number);
          return this.ACTION(() => ({
            text: (minus?.image ?? "") + numberToken.image,
            span: this.from(minus ?? numberToken, numberToken),
          }));
        },
      },
    ]),
  );

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
    this.OR<ConstantBody>([
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
    this.OR<ConstantBody>(
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
    this.OR<ConstantPart>([
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

/** The first part decides which form the braces are; a part of another form stays a cell or entry without a value. */
function bracesBody(parts: readonly ConstantPart[], span: Span): LiteralBody<Tree.ConstantWord> {
  const cells = parts.map((part): Tree.LiteralCellTree<Tree.ConstantWord> | undefined => {
    if ("address" in part) return part;
    return "label" in part ? undefined : { address: [], value: { kind: "word", ...part }, span: part.span };
  });
  if (cells.every((cell) => cell !== undefined)) return { kind: "cells", cells, span };
  const entries = parts.map((part): Tree.LiteralEntry<Tree.ConstantWord> => {
    if ("label" in part) return part;
    const body: LiteralBody<Tree.ConstantWord> = { kind: "entries", entries: [], span: part.span };
    return { label: { text: "", span: part.span }, value: body };
  });
  return { kind: "entries", entries, span };
}

function spanOfAll(parts: readonly { readonly span: Span }[]): Span {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a list of the grammar has an element");
  return through(first.span, last.span);
}
