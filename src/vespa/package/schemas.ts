import type { Source, Span } from "../../language/source/span.js";
import type { Word } from "../../language/syntax/tree.js";
import { blocksOf } from "./blocks.js";
import { readConstant, readConstants } from "./constants.js";
import { readField, readImport } from "./fields.js";
import type { Constant, Field, Model, RankProfile, Schema } from "./model.js";
import { readModel } from "./models.js";
import { readProfile } from "./profiles.js";
import type { Reading } from "./reading.js";
import { inheriting, type Statement, statementsIn } from "./statements.js";

/** What is gathered while the files of a schema are read. */
interface Draft {
  name: Word | undefined;
  inherits: readonly Word[];
  documentInherits: readonly Word[];
  readonly fields: Map<string, Field>;
  readonly constants: Map<string, Constant>;
  readonly models: Map<string, Model>;
  readonly profiles: Map<string, RankProfile>;
  readonly lost: Set<string>;
}

/** Reads a schema file, and the files of profiles that belong to it. */
export function readSchema(source: Source, profiles: readonly Source[], reading: Reading): Schema {
  const named = source.name.replace(/^.*\//, "").replace(/\.sd$/, "");
  const start: Span = { source, start: 0, end: 0 };
  const draft: Draft = {
    ...{ name: undefined, inherits: [], documentInherits: [] },
    ...{ fields: new Map(), constants: new Map(), models: new Map(), profiles: new Map(), lost: new Set() },
  };
  readStatements(source, draft, reading);
  // Where a mistake hides the schema, that is told already.
  if (draft.name === undefined && !reading.problems.some(({ span }) => span.source === source))
    reading.report("schema/none", start, {});
  for (const each of profiles) readStatements(each, draft, reading);
  return { ...draft, name: draft.name ?? { text: named, span: start }, source };
}

function readStatements(source: Source, draft: Draft, reading: Reading): void {
  const { unclosed, unopened } = blocksOf(source);
  const brace = (start: number): Span => ({ source, start, end: start + 1 });
  // What stands around a brace that was forgotten is not closed either: only the innermost one is told.
  const last = unclosed.at(-1);
  if (last !== undefined) reading.report("schema/unclosed", brace(last), {});
  for (const at of unopened.slice(0, 1)) reading.report("schema/unopened", brace(at), {});
  for (const each of statementsIn({ source, start: 0, end: source.text.length })) {
    if (each.keyword.text === "schema" || each.keyword.text === "search") readWhole(each, draft, reading);
    else read(each, draft, reading);
  }
}

function readWhole({ head, body }: Statement, draft: Draft, reading: Reading): void {
  const { name, inherits } = inheriting(head);
  draft.name ??= name;
  draft.inherits = [...draft.inherits, ...inherits];
  for (const each of body === undefined ? [] : statementsIn(body)) read(each, draft, reading);
}

function read(statement: Statement, draft: Draft, reading: Reading): void {
  const { keyword, head, body } = statement;
  switch (keyword.text) {
    case "document": {
      const { name, inherits } = inheriting(head);
      draft.name ??= name;
      draft.documentInherits = [...draft.documentInherits, ...inherits];
      for (const each of body === undefined ? [] : statementsIn(body))
        if (each.keyword.text === "field") addField(readField(each, "document", reading), draft, reading);
      return;
    }
    case "field":
      return addField(readField(statement, "outside", reading), draft, reading);
    case "import":
      return addField(readImport(statement, reading), draft, reading);
    case "constant":
      add(readConstant(statement, reading), draft.constants, "constant", reading);
      return lose(draft, reading);
    case "constants":
      add(readConstants(statement, reading), draft.constants, "constant", reading);
      return lose(draft, reading);
    case "onnx-model":
      return add(readModel(statement, reading), draft.models, "model", reading);
    case "rank-profile":
    case "model":
      return addProfile(statement, draft, reading);
  }
}

function lose(draft: Draft, reading: Reading): void {
  for (const name of reading.takeLost()) draft.lost.add(name);
}

/** How deep profiles may stand in profiles. */
const deepest = 10;

function addProfile(statement: Statement, draft: Draft, reading: Reading, depth = 1): void {
  const profile = readProfile(statement, reading);
  if (profile === undefined) return;
  const { name } = profile;
  add(
    new Map([[name.text, { ...profile, span: name.span }]]),
    draft.profiles,
    "rank profile",
    reading,
    () => profile,
  );
  if (statement.body === undefined || depth === deepest) return;
  const nested = statementsIn(statement.body).filter((each) => each.keyword.text === "rank-profile");
  for (const each of nested) addProfile(each, draft, reading, depth + 1);
}

function addField(fields: readonly Field[], draft: Draft, reading: Reading): void {
  const named = new Map(fields.map((each) => [each.name.text, each]));
  add(named, draft.fields, "field", reading);
}

function add<T extends { readonly span: Span }>(
  found: ReadonlyMap<string, T>,
  to: Map<string, T>,
  what: string,
  { report }: Reading,
  made: (each: T) => T = (each) => each,
): void {
  for (const [name, each] of found) {
    const first = to.get(name);
    if (first === undefined) to.set(name, made(each));
    else report("schema/duplicate", each.span, { what, name }, [{ span: first.span, says: "the first" }]);
  }
}
