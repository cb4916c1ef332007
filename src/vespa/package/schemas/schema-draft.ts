import type { Span } from "../../../language/source/span.js";
import type { Word } from "../../../language/syntax/tree.js";
import type { Constant, DocumentSummary, Field, Model, RankProfile, Struct } from "../model/model.js";

/** What is gathered while the files of a schema are read. */
export class SchemaDraft {
  name: Word | undefined;
  inherits: readonly Word[] = [];
  documentInherits: readonly Word[] = [];
  readonly fieldsets = new Map<string, readonly Word[]>();
  readonly summaries: DocumentSummary[] = [];
  readonly fields = new Map<string, Field>();
  readonly constants = new Map<string, Constant>();
  readonly models = new Map<string, Model>();
  readonly profiles = new Map<string, RankProfile>();
  readonly structs = new Map<string, Struct>();
  readonly lost = new Set<string>();
  /** Where structs, field sets and document summaries are, by keyword and name. */
  readonly blocks = new Map<string, { readonly span: Span }>();
  /** The fields of the document, by their names in lower case, which Vespa does not tell from upper case. */
  readonly lowerNames = new Map<string, Word>();
}
