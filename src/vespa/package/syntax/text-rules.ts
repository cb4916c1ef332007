import type { IToken } from "chevrotain";
import type { Span } from "../../../language/source/span.js";
import type { Word } from "../../../language/syntax/tree.js";
import { type Alternatives, type Rule, SchemaReader } from "./reader.js";
import { flag, name, newline, path, piece, setting, string, symbol, tensor, text, token } from "./tokens.js";
import type * as Tree from "./tree.js";

interface TextExtent {
  readonly span: Span;
  readonly isBlock: boolean;
}

/**
 * Rules that all statements share: lines and blocks of text in other languages, names, types and values, and the
 * statements that are only stepped over. In the order of schema.ebnf.
 */
export abstract class TextRules extends SchemaReader {
  readonly Inherits: Rule<readonly Word[]> = this.RULE("Inherits", () => {
    const names: Word[] = [];
    this.eat("inherits");
    names.push(this.word(this.CONSUME(name)));
    this.MANY(() => {
      this.eat(",");
      names.push(this.word(this.CONSUME2(name)));
    });
    return names;
  });

  readonly Open: Rule<void> = this.RULE("Open", () => {
    this.OPTION({ GATE: () => this.is(2, "{"), DEF: () => this.CONSUME(newline) });
    this.brace();
  });

  readonly Type: Rule<Span> = this.RULE("Type", () => {
    const first = this.LA(1);
    this.OR([
      { ALT: () => this.CONSUME(tensor) },
      {
        ALT: () => {
          this.CONSUME(name);
          this.OPTION(() => {
            this.eat("<");
            this.AT_LEAST_ONE_SEP({ SEP: token(","), DEF: () => this.SUBRULE(this.Type) });
            this.eat(">");
          });
          this.OPTION2(() => {
            this.eat("[");
            this.eat("]");
          });
        },
      },
    ]);
    return this.since(first);
  });

  readonly Value: Rule<Span> = this.RULE("Value", () => {
    const first = this.LA(1);
    this.OPTION(() => {
      this.CONSUME(tensor);
      this.eat(":");
      this.OPTION2(() => this.CONSUME(newline));
    });
    this.OR([
      { ALT: () => this.SUBRULE(this.Group) },
      { ALT: () => this.SUBRULE(this.Block) },
      { ALT: () => this.CONSUME(name) },
      { ALT: () => this.CONSUME(string) },
    ]);
    return this.since(first);
  });

  readonly FilePath: Rule<Tree.FilePath> = this.RULE("FilePath", () => {
    const keyword = this.eat("file");
    this.eat(":");
    const found = this.OR([{ ALT: () => this.CONSUME(path) }, { ALT: () => this.CONSUME(name) }]);
    return { ...this.node("file", keyword), path: this.word(found) };
  });

  readonly Detail: Rule<Tree.Detail> = this.RULE("Detail", () =>
    this.OR<Alternatives<Tree.Detail>>({
      IGNORE_AMBIGUITIES: true,
      DEF: [
        { ALT: () => this.SUBRULE(this.Setting) },
        { ALT: () => this.single(this.CONSUME(flag)) },
        { ALT: () => this.SUBRULE(this.Other) },
      ],
    }),
  );

  readonly Setting: Rule<Tree.Detail> = this.RULE("Setting", () => {
    const keyword = this.CONSUME(setting);
    this.OPTION({ GATE: () => this.isSubject(), DEF: () => this.CONSUME(name) });
    this.OPTION2(() => {
      this.eat("type");
      this.SUBRULE(this.Type);
    });
    this.OPTION3(() => this.SUBRULE(this.Inherits));
    const values: Tree.Detail[] = [];
    this.OPTION4(() => {
      this.eat(":");
      this.AT_LEAST_ONE_SEP({ SEP: token(","), DEF: () => values.push(this.SUBRULE(this.Choice)) });
    });
    const inner = this.OPTION5({ GATE: () => this.opens(), DEF: () => this.block([this.Detail]) });
    return this.ACTION(() => ({
      ...this.node("setting", keyword),
      details: [...values, ...(inner ?? [])],
    }));
  });

  readonly Choice: Rule<Tree.Detail> = this.RULE("Choice", () => {
    const first = this.OR([{ ALT: () => this.CONSUME(name) }, { ALT: () => this.CONSUME(string) }]);
    const details: Tree.Detail[] = [];
    this.OPTION(() => {
      this.eat(":");
      details.push(this.single(this.CONSUME2(name)));
    });
    return { ...this.node("setting", first), details };
  });

  private single(found: IToken): Tree.Detail {
    return { ...this.node("setting", found), details: [] };
  }

  readonly Other: Rule<Tree.Detail> = this.RULE("Other", () => {
    const first = this.LA(1);
    this.AT_LEAST_ONE(() => this.OR(this.texts));
    this.blockBelow();
    return { ...this.node("other", first), details: [] };
  });

  readonly Stray: Rule<Tree.Detail> = this.RULE("Stray", () => {
    const first = this.LA(1);
    this.OR2([{ ALT: () => this.CONSUME2(symbol) }, { ALT: () => this.SUBRULE2(this.Block) }]);
    this.MANY(() => this.OR(this.texts));
    this.blockBelow();
    return { ...this.node("other", first), details: [] };
  });

  /** The block that begins in the line after one that is only stepped over. */
  private blockBelow(): void {
    this.OPTION9({
      GATE: () => this.opens(),
      DEF: () => {
        this.CONSUME9(newline);
        this.SUBRULE9(this.Block);
      },
    });
  }

  readonly Text: Rule<Span> = this.RULE("Text", () => this.lineOrBlock(this.Line, true).span);

  /** Text behind a colon, or in a block. */
  protected lineOrBlock(line: Rule<Span>, isBraceBelow: boolean): TextExtent {
    return this.OR<Alternatives<TextExtent>>([
      {
        ALT: () => {
          this.eat(":");
          return { span: this.SUBRULE(line), isBlock: false };
        },
      },
      {
        ALT: () => {
          if (isBraceBelow) this.OPTION(() => this.CONSUME(newline));
          return { span: this.SUBRULE(this.Block), isBlock: true };
        },
      },
    ]);
  }

  /** A line, which goes on behind the end of one where a bar stands there. */
  readonly Script: Rule<Span> = this.RULE("Script", () =>
    this.extent(() =>
      this.MANY(() =>
        this.OR({
          IGNORE_AMBIGUITIES: true,
          DEF: [
            {
              ALT: () => {
                this.eat("|");
                this.OPTION(() => this.CONSUME(newline));
              },
            },
            ...this.texts,
          ],
        }),
      ),
    ),
  );

  readonly Line: Rule<Span> = this.RULE("Line", () =>
    this.extent(() => this.MANY(() => this.OR(this.texts))),
  );

  readonly Block: Rule<Span> = this.RULE("Block", () => {
    this.eat("{");
    const inner = this.extent(() => this.MANY(() => this.OR(this.textsAndLines)));
    this.eat("}");
    return inner;
  });

  readonly Group: Rule<void> = this.RULE("Group", () => {
    this.OR([
      {
        ALT: () => {
          this.eat("(");
          this.SUBRULE(this.Inner);
          this.eat(")");
        },
      },
      {
        ALT: () => {
          this.eat("[");
          this.SUBRULE2(this.Inner);
          this.eat("]");
        },
      },
    ]);
  });

  readonly LineGroup: Rule<void> = this.RULE("LineGroup", () => {
    this.eat("(");
    this.MANY(() =>
      this.OR([
        { ALT: () => this.CONSUME(piece) },
        { ALT: () => this.eat("[") },
        { ALT: () => this.eat("]") },
        { ALT: () => this.SUBRULE(this.LineGroup) },
        { ALT: () => this.SUBRULE(this.Block) },
      ]),
    );
    this.eat(")");
  });

  readonly Inner: Rule<void> = this.RULE("Inner", () => {
    this.MANY(() => this.OR(this.pieces));
  });

  // Made once: these are the alternatives at every token of a text.
  private readonly texts = [
    { ALT: () => void this.CONSUME(text) },
    { ALT: () => void this.SUBRULE(this.Block) },
  ];
  private readonly textsAndLines = [...this.texts, { ALT: () => void this.CONSUME(newline) }];
  private readonly pieces = [
    { ALT: () => void this.CONSUME(piece) },
    { ALT: () => void this.SUBRULE(this.Group) },
    { ALT: () => void this.SUBRULE(this.Block) },
    { ALT: () => void this.CONSUME(newline) },
  ];
}
