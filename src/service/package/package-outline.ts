import { positionOf, type Source, type Span, textIn } from "../../language/source/span.js";
import type { Word } from "../../language/syntax/tree.js";
import type { FileItem, InputStatement, ProfileItem } from "../../vespa/package/syntax/tree.js";
import type { Fold } from "../outline.js";

export type PackagePartKind =
  | "schema"
  | "document"
  | "field"
  | "group"
  | "constant"
  | "model"
  | "profile"
  | "input"
  | "function"
  | "phase";

/** A part of a schema or a file of rank profiles, as a list of its parts shows it, and what is in it. */
export interface PackageOutlineEntry {
  readonly name: string;
  readonly kind: PackagePartKind;
  /** The type, the parameters, or what is inherited. */
  readonly detail: string | undefined;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly parts: readonly PackageOutlineEntry[];
}

type Item = FileItem | ProfileItem | InputStatement;
type Shown = Pick<PackageOutlineEntry, "kind" | "name" | "detail"> & {
  readonly word: Word;
  readonly items?: readonly Item[];
};
type Rows = { readonly [Kind in Item["kind"]]: (item: Extract<Item, { kind: Kind }>) => Shown | undefined };

const textOf = (span: Span | undefined): string | undefined => span && textIn(span).trim();
const inherited = (parents: readonly Word[]): string | undefined =>
  parents.length === 0 ? undefined : `inherits ${parents.map(({ text }) => text).join(", ")}`;
const nothing = (): undefined => undefined;

const named = (kind: PackagePartKind, word: Word, detail?: string, items?: readonly Item[]): Shown => ({
  ...{ kind, name: word.text, detail, word },
  ...(items && { items }),
});

// biome-ignore format: a table
const rows: Rows = {
  schema:         ({ name, inherits, items })         => named("schema", name, inherited(inherits), items),
  document:       ({ keyword, name, inherits, items }) => named("document", name ?? keyword, inherited(inherits), items),
  field:          ({ name, type })                    => named("field", name, textOf(type)),
  import:         ({ name })                          => named("field", name, "imported"),
  constants:      ({ keyword, items })                => named("group", keyword, undefined, items),
  constant:       ({ name, type })                    => named("constant", name, textOf(type)),
  "onnx-model":   ({ name })                          => named("model", name),
  "rank-profile": ({ name, inherits, items })         => named("profile", name, inherited(inherits), items),
  inputs:         ({ keyword, items })                => named("group", keyword, undefined, items),
  query:          ({ name, type })                    => ({ ...named("input", name, textOf(type)), name: `query(${name.text})` }),
  function:       ({ name, parameters })              => named("function", name, `(${parameters.map(({ text }) => text).join(", ")})`),
  phase:          ({ keyword })                       => named("phase", keyword),
  features:       ({ keyword })                       => named("group", keyword),
  properties:     ({ keyword })                       => named("group", keyword),
  setting:        nothing,
  other:          nothing,
};

/** The parts of a schema, or of a file of rank profiles, in the order of the text; those that can be read of one with mistakes. */
export function packageOutlineOf(items: readonly Item[]): readonly PackageOutlineEntry[] {
  return items.flatMap((item) => {
    // The row under an item's own kind takes that item; TypeScript cannot see this of a union.
    const shown = (rows[item.kind] as (item: Item) => Shown | undefined)(item);
    if (shown === undefined) return [];
    const { kind, name, detail, word, items: inner = [] } = shown;
    return [{ kind, name, detail, span: item.span, nameSpan: word.span, parts: packageOutlineOf(inner) }];
  });
}

/** What folds: the parts of more than one line. */
export function packageFoldsOf(source: Source, outline: readonly PackageOutlineEntry[]): readonly Fold[] {
  const lineOf = (offset: number): number => positionOf(source, offset).line - 1;
  const folds: Fold[] = [];
  const open = [...outline];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [start, end] = [lineOf(next.span.start), lineOf(next.span.end)];
    if (end > start) folds.push({ start, end, isComment: false });
    for (const part of next.parts) open.push(part);
  }
  return folds.sort((a, b) => a.start - b.start);
}
