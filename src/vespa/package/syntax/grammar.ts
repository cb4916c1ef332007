import type { IParserErrorMessageProvider } from "chevrotain";
import type { DecisionRow } from "../../../language/syntax/prepared-parser.js";
import { ProfileRules } from "./profile-rules.js";
import type { Rule } from "./reader.js";
import { name } from "./tokens.js";
import type * as Tree from "./tree.js";

/**
 * The parser of schemas: the rules of schema.ebnf under the same names; a test compares the two. An action only builds
 * the node of its rule.
 */
export class SchemaGrammar extends ProfileRules {
  constructor(messages: IParserErrorMessageProvider, decisions?: readonly DecisionRow[]) {
    super(messages, decisions);
    this.prepare();
  }

  readonly File: Rule<readonly Tree.FileItem[]> = this.RULE("File", () => {
    const items: Tree.FileItem[] = [];
    this.items<Tree.FileItem>([this.Schema, this.SchemaItem], items);
    return items;
  });

  readonly Schema: Rule<Tree.SchemaStatement> = this.RULE("Schema", () => {
    const keyword = this.oneOf("schema", "search");
    const schema = this.CONSUME(name);
    const inherits = this.OPTION(() => this.SUBRULE(this.Inherits)) ?? [];
    const items = this.block<Tree.SchemaItem>([this.SchemaItem]);
    return { ...this.node("schema", keyword), name: this.word(schema), inherits, items };
  });

  readonly SchemaItem: Rule<Tree.SchemaItem> = this.RULE("SchemaItem", () =>
    this.firstOf<Tree.SchemaItem>([
      this.Document,
      this.Field,
      this.Import,
      this.Constant,
      this.Constants,
      this.Model,
      this.RankProfile,
      this.Detail,
    ]),
  );

  readonly Document: Rule<Tree.DocumentStatement> = this.RULE("Document", () => {
    const keyword = this.eat("document");
    const document = this.OPTION({
      GATE: () => !this.is(1, "inherits"),
      DEF: () => this.word(this.CONSUME(name)),
    });
    const inherits = this.OPTION2(() => this.SUBRULE(this.Inherits)) ?? [];
    const items = this.block<Tree.FieldStatement | Tree.Detail>([this.Field, this.Detail]);
    return { ...this.node("document", keyword), name: document, inherits, items };
  });

  readonly Field: Rule<Tree.FieldStatement> = this.RULE("Field", () => {
    const keyword = this.eat("field");
    const field = this.CONSUME(name);
    this.eat("type");
    const type = this.SUBRULE(this.Type);
    const items =
      this.OPTION({
        GATE: () => this.opens(),
        DEF: () => this.block<Tree.FieldItem>([this.FieldItem]),
      }) ?? [];
    return { ...this.node("field", keyword), name: this.word(field), type, items };
  });

  readonly FieldItem: Rule<Tree.FieldItem> = this.RULE("FieldItem", () =>
    this.firstOf<Tree.FieldItem>([this.Indexing, this.StructField, this.Detail]),
  );

  readonly Indexing: Rule<Tree.IndexingStatement> = this.RULE("Indexing", () => {
    const keyword = this.eat("indexing");
    const { span: script, isBlock } = this.lineOrBlock(this.Script, false);
    return { ...this.node("indexing", keyword), script, isBlock };
  });

  readonly StructField: Rule<Tree.StructFieldStatement> = this.RULE("StructField", () => {
    const keyword = this.eat("struct-field");
    const field = this.CONSUME(name);
    const items = this.block<Tree.FieldItem>([this.FieldItem]);
    return { ...this.node("struct-field", keyword), name: this.word(field), items };
  });

  readonly Import: Rule<Tree.ImportStatement> = this.RULE("Import", () => {
    const keyword = this.eat("import");
    this.eat("field");
    const reference = this.CONSUME(name);
    this.eat("as");
    const imported = this.CONSUME2(name);
    this.OPTION({ GATE: () => this.opens(), DEF: () => this.block<Tree.Detail>([this.Detail]) });
    return { ...this.node("import", keyword), reference: this.word(reference), name: this.word(imported) };
  });
}
