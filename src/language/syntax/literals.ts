import { type Span, through } from "../source/span.js";
import { ConstantGrammar } from "./constants.js";
import type { Alternatives, Rule } from "./reader.js";
import { name, number, string, token } from "./tokens.js";
import type * as Tree from "./tree.js";
import type { LiteralBody, LiteralItem } from "./tree.js";

/** Types and literals: the second half of grammar/sphex.ebnf. */
export abstract class LiteralGrammar extends ConstantGrammar {
  abstract readonly Expression: Rule<Tree.Expression>;
  abstract readonly Supplied: Rule<Tree.Supplied>;

  override readonly Type: Rule<Tree.TypeText> = this.RULE("Type", () => {
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
    return this.OR<Alternatives<Tree.DimensionText>>([
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
    return this.OR<Alternatives<Tree.Expression>>([
      {
        ALT: () => {
          this.eat(":");
          const body = this.SUBRULE(this.Body);
          return this.ACTION(
            (): Tree.Expression => ({
              ...{ kind: "literal", type, body, isTyped: true },
              span: through(type.span, body.span),
            }),
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

  readonly Untyped: Rule<Tree.Expression> = this.RULE("Untyped", () => {
    const open = this.eat("{");
    const cells = this.SUBRULE(this.Cells);
    const close = this.eat("}");
    return this.ACTION((): Tree.Expression => {
      const span = this.from(open, close);
      return {
        ...{ kind: "literal", type: typeOfCells(cells, span), body: { ...cells, span } },
        ...{ isTyped: false, span },
      };
    });
  });

  readonly Body: Rule<LiteralBody<Tree.Supplied>> = this.RULE("Body", () =>
    this.OR<Alternatives<LiteralBody<Tree.Supplied>>>([
      { ALT: () => this.SUBRULE(this.Nested) },
      {
        ALT: () => {
          const open = this.eat("{");
          const inner = this.OPTION(() =>
            this.OR2<Alternatives<LiteralBody<Tree.Supplied>>>([
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

  readonly Scalar: Rule<LiteralBody<Tree.Supplied>> = this.RULE("Scalar", () => {
    const minus = this.OPTION(() => this.eat("-"));
    const numberToken = this.CONSUME(number);
    return this.ACTION((): LiteralBody<Tree.Supplied> => {
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

  readonly Nested: Rule<LiteralBody<Tree.Supplied>> = this.RULE("Nested", () => {
    const items: LiteralItem<Tree.Supplied>[] = [];
    const open = this.eat("[");
    this.AT_LEAST_ONE_SEP({ SEP: token(","), DEF: () => items.push(this.SUBRULE(this.Item)) });
    const close = this.eat("]");
    return this.ACTION(
      (): LiteralBody<Tree.Supplied> => ({ kind: "nested", items, span: this.from(open, close) }),
    );
  });

  readonly Item: Rule<LiteralItem<Tree.Supplied>> = this.RULE("Item", () =>
    this.OR<Alternatives<LiteralItem<Tree.Supplied>>>(
      (this.itemAlternatives ??= [
        { ALT: () => this.SUBRULE(this.Nested) },
        { ALT: () => this.SUBRULE(this.Supplied) },
      ]),
    ),
  );
  private itemAlternatives: { ALT: () => LiteralItem<Tree.Supplied> }[] | undefined;

  readonly Cells: Rule<LiteralBody<Tree.Supplied>> = this.RULE("Cells", () => {
    const cells = [this.SUBRULE(this.Cell)];
    this.MANY(() => {
      this.eat(",");
      cells.push(this.SUBRULE2(this.Cell));
    });
    return this.ACTION((): LiteralBody<Tree.Supplied> => ({ kind: "cells", cells, span: spanOfAll(cells) }));
  });

  readonly Cell: Rule<Tree.LiteralCellTree<Tree.Supplied>> = this.RULE("Cell", () => {
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
    const value = this.SUBRULE(this.Supplied);
    return this.ACTION(() => ({ address, value, span: through(this.at(open), value.span) }));
  });

  readonly Entries: Rule<LiteralBody<Tree.Supplied>> = this.RULE("Entries", () => {
    const entries = [this.SUBRULE(this.Entry)];
    this.MANY(() => {
      this.eat(",");
      entries.push(this.SUBRULE2(this.Entry));
    });
    return this.ACTION(
      (): LiteralBody<Tree.Supplied> => ({
        kind: "entries",
        entries,
        span: spanOfAll(entries.map((each) => each.label)),
      }),
    );
  });

  readonly Entry: Rule<Tree.LiteralEntry<Tree.Supplied>> = this.RULE("Entry", () => {
    const label = this.SUBRULE(this.Label);
    this.eat(":");
    const value = this.OR<Alternatives<LiteralItem<Tree.Supplied>>>([
      { ALT: () => this.SUBRULE(this.Nested) },
      {
        ALT: () => {
          const open = this.eat("{");
          const inner = this.SUBRULE(this.Entries);
          const span = this.from(open, this.eat("}"));
          return this.ACTION(() => ({ ...inner, span }));
        },
      },
      { ALT: () => this.SUBRULE(this.Supplied) },
    ]);
    return { label, value };
  });

  readonly Label: Rule<Tree.Word> = this.RULE("Label", () =>
    this.OR<Alternatives<Tree.Word>>([
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
}

/** The type that a literal without one has: the dimensions of its first address, which are mapped. */
function typeOfCells(cells: LiteralBody<Tree.Supplied>, span: Span): Tree.TypeText {
  const [first] = cells.kind === "cells" ? cells.cells : [];
  const dimensions = (first?.address ?? []).map(({ dimension: name }): Tree.DimensionText => {
    return { kind: "mapped", name, span: name.span };
  });
  return { dimensions, span };
}

function spanOfAll(parts: readonly { readonly span: Span }[]): Span {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a list of the grammar has an element");
  return through(first.span, last.span);
}
