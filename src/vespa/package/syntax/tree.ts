import type { Span } from "../../../language/source/span.js";
import type { Word } from "../../../language/syntax/tree.js";

/**
 * What a schema file says, statement by statement, with nothing resolved. Every node has the span that it was read
 * from. Texts in other languages (expressions, scripts, tensors) are spans: who needs one reads it.
 */
export interface Statement {
  /** The word that the statement begins with. */
  readonly keyword: Word;
  readonly span: Span;
}

/**
 * A statement without a rule of its own: a setting, with what it says, or one that is only stepped over. What a setting
 * says are names, which are settings that say nothing more, and settings.
 */
export interface Detail extends Statement {
  readonly kind: "setting" | "other";
  /** What stands behind its colon and in its braces. */
  readonly details: readonly Detail[];
}

export interface SchemaStatement extends Statement {
  readonly kind: "schema";
  readonly name: Word;
  readonly inherits: readonly Word[];
  readonly items: readonly SchemaItem[];
}

/** The statements of a file: a schema, documents alone, or rank profiles alone. */
export type FileItem = SchemaStatement | SchemaItem;

export type SchemaItem =
  | DocumentStatement
  | FieldStatement
  | ImportStatement
  | ConstantStatement
  | ConstantsStatement
  | ModelStatement
  | ProfileStatement
  | Detail;

export interface DocumentStatement extends Statement {
  readonly kind: "document";
  readonly name: Word | undefined;
  readonly inherits: readonly Word[];
  readonly items: readonly (FieldStatement | Detail)[];
}

export interface FieldStatement extends Statement {
  readonly kind: "field";
  readonly name: Word;
  readonly type: Span;
  readonly items: readonly FieldItem[];
}

export type FieldItem = IndexingStatement | StructFieldStatement | Detail;

export interface StructFieldStatement extends Statement {
  readonly kind: "struct-field";
  readonly name: Word;
  readonly items: readonly FieldItem[];
}

export interface IndexingStatement extends Statement {
  readonly kind: "indexing";
  readonly script: Span;
  /** Whether the script stands in a block, and not behind a colon. */
  readonly isBlock: boolean;
}

/** `import field reference.field as name {}` */
export interface ImportStatement extends Statement {
  readonly kind: "import";
  readonly reference: Word;
  readonly name: Word;
}

/** A path in the package, behind `file:`. */
export interface FilePath extends Statement {
  readonly kind: "file";
  readonly path: Word;
}

/** A constant, as one entry among `constants`, or alone in braces. */
export interface ConstantStatement extends Statement {
  readonly kind: "constant";
  readonly name: Word;
  readonly type: Span | undefined;
  readonly value: Span | FilePath | undefined;
  /** Whether it has a `uri`, so that its value is not in the package. */
  readonly isRemote: boolean;
}

/** What may stand in the braces of a constant. */
export type ConstantItem = ConstantType | FilePath | ConstantValue | Detail;

export interface ConstantType extends Statement {
  readonly kind: "type";
  readonly type: Span;
}

export interface ConstantValue extends Statement {
  readonly kind: "value";
  readonly value: Span;
}

export interface ConstantsStatement extends Statement {
  readonly kind: "constants";
  readonly items: readonly (ConstantStatement | Detail)[];
}

export interface ModelStatement extends Statement {
  readonly kind: "onnx-model";
  readonly name: Word;
  readonly items: readonly (FilePath | Port | Detail)[];
}

/** `input "name in the model": feature`, `output "name in the model": name here` */
export interface Port extends Statement {
  readonly kind: "input" | "output";
  readonly name: Word;
  readonly value: Span;
}

export interface ProfileStatement extends Statement {
  readonly kind: "rank-profile";
  readonly name: Word;
  readonly inherits: readonly Word[];
  readonly items: readonly ProfileItem[];
}

export type ProfileItem =
  | InputsStatement
  | ConstantsStatement
  | ConstantStatement
  | FunctionStatement
  | PhaseStatement
  | FeaturesStatement
  | PropertiesStatement
  | ModelStatement
  | ProfileStatement
  | Detail;

export interface InputsStatement extends Statement {
  readonly kind: "inputs";
  readonly items: readonly (InputStatement | Detail)[];
}

/** `query(name) type: value`, or without `query`. */
export interface InputStatement extends Statement {
  readonly kind: "query";
  readonly name: Word;
  readonly type: Span | undefined;
  readonly value: Span | undefined;
}

/** `function`, and `macro`, as it was once called. */
export interface FunctionStatement extends Statement {
  readonly kind: "function";
  readonly name: Word;
  readonly isInline: boolean;
  readonly parameters: readonly Word[];
  readonly items: readonly (ExpressionStatement | Detail)[];
}

export interface PhaseStatement extends Statement {
  readonly kind: "phase";
  readonly items: readonly (ExpressionStatement | Detail)[];
}

export interface ExpressionStatement extends Statement {
  readonly kind: "expression";
  readonly text: Span;
}

export interface FeaturesStatement extends Statement {
  readonly kind: "features";
  readonly inherits: readonly Word[];
  readonly items: readonly (FeatureStatement | Detail)[];
}

export interface FeatureStatement extends Statement {
  readonly kind: "feature";
}

export interface PropertiesStatement extends Statement {
  readonly kind: "properties";
  /** `key: value`, one a line. */
  readonly items: readonly Detail[];
}
