import { type Span, textIn } from "../../../../language/source/span.js";
import { modifyingStep } from "../../indexing/modified-values.js";
import type { IndexingFault } from "../../model/feature-messages.js";
import { problem } from "../../model/messages.js";
import type { Field } from "../../model/model.js";
import type { Reading } from "../../model/reading.js";
import type * as Tree from "../../syntax/tree.js";
import { dictionaryFault } from "./dictionaries.js";

/** What Vespa refuses of a field by its type and by what its indexing makes of it. */
export function reportIndexingFaults(field: Field, items: readonly Tree.FieldItem[], reading: Reading): void {
  const [first, second] = items.filter(({ kind }) => kind === "indexing");
  const { text: name } = field.name;
  if (first !== undefined && second !== undefined) {
    const related = [{ span: first.keyword.span, label: "the first" }];
    const values = { what: "setting", name: `indexing of ${name}` } as const;
    reading.report(problem("schema/duplicate", second.keyword.span, values, related));
  }
  reportSecondIndex(items, name, reading);
  for (const each of field.where === "document" ? items : []) {
    const step = each.kind === "indexing" ? modifyingStep(each.script, name) : undefined;
    if (step !== undefined)
      reading.report(problem("indexing/modified", step.span, { step: step.text, field: name }));
  }
  for (const row of faults) {
    const span = row.keyword === undefined ? field.typeSpan : settingIn(items, row);
    if (span === undefined || !row.isFound(field)) continue;
    reading.report(problem("field/indexing", span, { field: name, fault: row.fault, type: field.typeText }));
  }
  const fault = dictionaryFault(field, items);
  const span = settingIn(items, { keyword: "dictionary" });
  if (fault !== undefined && span !== undefined)
    reading.report(problem("field/indexing", span, { field: name, fault, type: field.typeText }));
}

/** All that is said of an index is said in one place. */
function reportSecondIndex(items: readonly Tree.FieldItem[], field: string, reading: Reading): void {
  const all = new Map<string, Span>();
  for (const { kind, keyword, span } of items) {
    if (kind !== "setting" || keyword.text !== "index") continue;
    const name = /^index\s+([\w$-]+)/.exec(textIn(span))?.[1] ?? field;
    const first = all.get(name);
    if (first === undefined) all.set(name, keyword.span);
    else {
      const related = [{ span: first, label: "the first" }];
      const values = { what: "setting", name: `index ${name}` } as const;
      reading.report(problem("schema/duplicate", keyword.span, values, related));
    }
  }
}

interface IndexingCheck {
  readonly fault: IndexingFault;
  /** The setting that it is about, with these values; the type of the field where there is none. */
  readonly keyword?: string;
  readonly values?: readonly string[];
  readonly isFound: (field: Field) => boolean;
}

const isNumeric = ({ typeText }: Field): boolean =>
  /\b(?:int|long|byte|float|double)\b/.test(typeText.replace(/^tensor.*/s, ""));

/** Numbers with an index are attributes. */
const hasNoAttribute = (field: Field): boolean => !field.isAttribute && !(field.isIndex && isNumeric(field));

const isNoText = (field: Field): boolean =>
  isNumeric(field) || field.tensorType !== undefined || /\bbool\b/.test(field.typeText);

// biome-ignore format: a table
const faults: readonly IndexingCheck[] = [
  { fault: "no attribute", keyword: "attribute", isFound: hasNoAttribute },
  { fault: "no attribute", keyword: "sorting",   isFound: hasNoAttribute },
  { fault: "position attribute", keyword: "attribute", isFound: ({ typeText }) => /^(?:array\s*<\s*)?position\b/.test(typeText) },
  { fault: "no fast-search", keyword: "dictionary", isFound: (field) => isNumeric(field) && !field.isFastSearch },
  { fault: "no text",      keyword: "bolding", values: ["on", "true"], isFound: isNoText },
  { fault: "index alone",  isFound: ({ tensorType, isIndex, isAttribute }) => tensorType !== undefined && isIndex && !isAttribute },
  { fault: "dimensions",   isFound: ({ tensorType: type, isIndex, isAttribute }) =>
    type !== undefined && isIndex && isAttribute && type.indexed.length !== 1 },
  { fault: "no size",      isFound: ({ tensorType }) => tensorType?.isBound === false },
  { fault: "weights",      isFound: ({ typeText }) => /^weightedset\s*<\s*(?:float|double|bool)\s*>/.test(typeText) },
  { fault: "weights of structs", isFound: ({ typeText }) => !isPrimitive(/^weightedset\s*<([^>]*)>/.exec(typeText)?.[1]) },
  { fault: "keys",         isFound: ({ typeText }) => !isPrimitive(/^map\s*<([^,]*),/.exec(typeText)?.[1]) },
  { fault: "no match",     keyword: "match", values: ["exact", "gram", "word", "prefix", "substring", "suffix"],
    isFound: ({ isIndex, isAttribute }) => !isIndex && !isAttribute },
  { fault: "no rank",      keyword: "rank",  isFound: ({ isIndex, isAttribute }) => !isIndex && !isAttribute },
  { fault: "gram attribute", keyword: "match", isFound: (field) =>
    field.matching === "gram" && (isNumeric(field) ? field.isIndex || field.isAttribute : field.isAttribute && !field.isIndex) },
  { fault: "index type",   isFound: ({ isIndex, typeText }) => isIndex && /^(?:raw|predicate|(?:(?:array|weightedset)\s*<\s*)?(?:bool|position)\b)/.test(typeText) },
  { fault: "attribute type", isFound: ({ isAttribute, typeText }) =>
    isAttribute && /^(?:uri|array\s*<\s*(?:uri|raw)|weightedset\s*<\s*uri)\b/.test(typeText) },
  { fault: "dense fast-search", keyword: "attribute", isFound: ({ tensorType, isFastSearch, isAttribute }) =>
    isFastSearch && isAttribute && tensorType?.mapped.length === 0 },
  { fault: "hnsw alone",   keyword: "index", values: ["hnsw"], isFound: ({ tensorType, isIndex }) => tensorType !== undefined && !isIndex },
  { fault: "predicate index", keyword: "index", values: ["arity", "lower-bound", "upper-bound", "dense-posting-list-threshold"],
    isFound: ({ typeText }) => typeText !== "predicate" },
];

/** Whether a type, if there is one, is no struct and no collection. */
const isPrimitive = (type: string | undefined): boolean =>
  type === undefined ||
  /^(?:string|int|long|byte|float|double|bool|uri|raw|predicate|position)$/.test(type.trim());

const settingIn = (
  items: readonly Tree.FieldItem[],
  { keyword, values }: Pick<IndexingCheck, "keyword" | "values">,
): Span | undefined =>
  items.flatMap((each) => {
    if (each.kind !== "setting" || each.keyword.text !== keyword) return [];
    const isMeant = values === undefined || each.details.some(({ keyword }) => values.includes(keyword.text));
    return isMeant ? [each.keyword.span] : [];
  })[0];
