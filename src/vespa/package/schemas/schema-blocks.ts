import { textIn } from "../../../language/source/span.js";
import { problem } from "../model/messages.js";
import type { Reading } from "../model/reading.js";
import { withoutComments, wordsIn } from "../model/text.js";
import type { Detail } from "../syntax/tree.js";
import { reportDash } from "./fields/field-checks.js";
import type { SchemaDraft } from "./schema-draft.js";
import { readDocumentSummary } from "./summaries.js";

/** The settings of a schema that have a name and braces. */
type BlockKeyword = "struct" | "annotation" | "fieldset" | "document-summary";

type BlockReader = (block: Detail, draft: SchemaDraft, reading: Reading) => void;

const blockReaders: { readonly [K in BlockKeyword]: BlockReader } = {
  struct: readStruct,
  annotation: readStruct,
  fieldset: readFieldSet,
  "document-summary": readSummary,
};

const isBlockKeyword = (text: string): text is BlockKeyword => Object.hasOwn(blockReaders, text);

/** A block that stands in a schema: one of its name. A setting without one says nothing that is read. */
export function readBlock(block: Detail, draft: SchemaDraft, reading: Reading): void {
  const { text } = block.keyword;
  if (!isBlockKeyword(text)) return;
  declareBlock(block, draft, reading);
  blockReaders[text](block, draft, reading);
}

/** A block that stands in a document, which has structs and annotations. */
export function readDocumentBlock(block: Detail, draft: SchemaDraft, reading: Reading): void {
  const { text } = block.keyword;
  if (!isBlockKeyword(text)) return;
  declareBlock(block, draft, reading);
  if (text === "struct" || text === "annotation") readStruct(block, draft, reading);
}

function declareBlock({ span, keyword }: Detail, { blocks }: SchemaDraft, reading: Reading): void {
  const [, name] = /^[\w-]+\s+([\w$@-]+)/.exec(textIn(span)) ?? [];
  if (name !== undefined)
    reading.declare(blocks, `${keyword.text} ${name}`, { span: keyword.span }, "setting");
}

/** `struct offer { field price type float {} … }`: a type of fields. */
function readStruct({ span }: Detail, { structs }: SchemaDraft, reading: Reading): void {
  const text = withoutComments(textIn(span));
  const [, name, inherited = ""] = /^\w+\s+([\w$-]+)(?:\s+inherits\s+([^{\n]+))?/.exec(text) ?? [];
  if (name === undefined) return;
  const inherits = inherited.split(",").flatMap((each) => each.trim() || []);
  const members = new Map<string, string>();
  for (const found of text.matchAll(/\bfield\s+([\w$@-]+)\s+type\s+([^{\n]+)/g)) {
    const [whole, member = "", type = ""] = found;
    const start = span.start + found.index + whole.indexOf(member, "field".length);
    const own = { ...span, start, end: start + member.length };
    reading.reportName(member, own);
    reportDash({ text: member, span: own }, reading);
    members.set(member, type.trim());
  }
  structs.set(name, { inherits, members });
}

/** `fieldset default { fields: title, body }` */
function readFieldSet({ span, keyword }: Detail, { fieldsets }: SchemaDraft, reading: Reading): void {
  const found = /^fieldset\s+([\w$-]+)[^}]*?\bfields\s*:([^\n}]*)/.exec(withoutComments(textIn(span)));
  if (!isFieldSet(found?.[2]) && !reading.isMistaken(span))
    reading.report(problem("schema/fields", keyword.span, {}));
  const [whole = "", name, list = ""] = found ?? [];
  if (name === undefined) return;
  reportDash({ text: name, span: keyword.span }, reading);
  fieldsets.set(name, wordsIn(list, span.start + whole.length - list.length, span.source));
}

/** Whether a field set lists fields by their names. */
const isFieldSet = (list: string | undefined): boolean =>
  /^\s*[\w$.-]+\s*(?:,\s*[\w$.-]+\s*)*$/.test(list ?? "");

function readSummary({ span }: Detail, { summaries }: SchemaDraft): void {
  const summary = readDocumentSummary(span);
  if (summary !== undefined) summaries.push(summary);
}
