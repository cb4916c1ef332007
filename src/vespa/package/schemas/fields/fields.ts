import { type Span, textIn } from "../../../../language/source/span.js";
import { element } from "../../../../language/values/element.js";
import { type Indexing, readIndexing } from "../../indexing/script.js";
import type { Field } from "../../model/model.js";
import type { Reading } from "../../model/reading.js";
import { problem } from "../../syntax/messages.js";
import type * as Tree from "../../syntax/tree.js";
import { reportSettingValues } from "../setting-values.js";
import { reportSlips } from "../slips.js";
import { reportAttributeFaults, reportFieldName } from "./field-checks.js";
import { reportIndexingFaults } from "./indexing-checks.js";

/** `field name type tensor<float>(x[3]) { indexing: attribute … }`, and the fields of structs that it makes attributes. */
export function readField(
  { name, type, items, span }: Tree.FieldStatement,
  where: "document" | "outside",
  reading: Reading,
): Field[] {
  const typeText = textIn(type);
  const tensorType = typeText.startsWith("tensor") ? reading.tensorType(type) : undefined;
  reportSlips(items, "a field", reading);
  reportSettingValues(items, "a field", reading);
  const [metric] = detailsOf("attribute", items).filter(({ keyword }) => keyword.text === "distance-metric");
  const distanceMetric = metric?.details[0]?.keyword.text;
  const field: Field = {
    ...{ name, span, where, typeText, typeSpan: type, ...indexingOf(name, items, reading) },
    ...(tensorType === undefined ? {} : { tensorType }),
    enablesBm25: detailsOf("index", items).some(({ keyword }) => keyword.text === "enable-bm25"),
    isFastSearch: hasFastSearch(items),
    ...(saysOfAttribute("mutable", items) ? { isMutable: true } : {}),
    ...(distanceMetric === undefined ? {} : { distanceMetric }),
    ...rankingOf(items),
    ...matchingOf(items),
    ...normalizingOf(items),
  };
  reportFieldName(field, reading);
  reportAttributeFaults(field, items, reading);
  reportIndexingFaults(field, items, reading);
  return [field, ...structFields(items, field, reading)];
}

/** `weight: 200`, `rank-type: identity`, `rank: filter` */
function rankingOf(items: readonly Tree.FieldItem[]): Pick<Field, "weight" | "rankType" | "isFilter"> {
  const [weight] = detailsOf("weight", items);
  const [rankType] = detailsOf("rank-type", items);
  const isFilter = detailsOf("rank", items).some(({ keyword }) => keyword.text === "filter");
  const number = Number(weight?.keyword.text ?? Number.NaN);
  return {
    ...(Number.isNaN(number) ? {} : { weight: number }),
    ...(rankType === undefined ? {} : { rankType: rankType.keyword.text }),
    ...(isFilter ? { isFilter } : {}),
  };
}

/** `match: word`, `match { gram … }`, `match: cased` */
function matchingOf(
  items: readonly Tree.FieldItem[],
): Pick<Field, "matching" | "exactTerminator" | "isCased"> {
  const settings = items.flatMap((each) =>
    each.kind === "setting" && each.keyword.text === "match" ? [textIn(each.span)] : [],
  );
  const text = settings.join(" ");
  const words: readonly string[] = text.replace(/"[^"]*"/g, "").match(/[\w-]+/g) ?? [];
  const found = words.findLast((each) => types.includes(each));
  const matching = found === "text" || found === "token" ? undefined : found;
  const terminator = /\bexact-terminator\s*:\s*"([^"]+)"/.exec(text)?.[1];
  return {
    ...(matching === undefined ? {} : { matching }),
    ...(matching === "exact" ? { exactTerminator: terminator ?? "@@" } : {}),
    ...(words.findLast((each) => each === "cased" || each === "uncased") === "cased"
      ? { isCased: true }
      : {}),
  };
}

/** What is taken for a word; of two, the later counts. */
const types: readonly string[] = ["text", "token", "word", "exact", "gram"];

/** `normalizing: none` */
function normalizingOf(items: readonly Tree.FieldItem[]): Pick<Field, "retainsAccents"> {
  const [written] = detailsOf("normalizing", items);
  const isAccent = written === undefined || ["accent", "all"].includes(written.keyword.text);
  return isAccent ? {} : { retainsAccents: true };
}

/** A `struct-field`, and the member to which it leads: `person.a.b`, however deep the statement stands. */
interface MemberStatement extends Pick<Tree.StructFieldStatement, "name" | "span" | "items"> {
  readonly member: string;
}

function memberStatements(
  items: readonly Tree.FieldItem[],
  outer: string,
  reading: Reading,
): MemberStatement[] {
  const declared = new Map<string, { readonly span: Span }>();
  return items.flatMap((each): MemberStatement[] => {
    if (each.kind !== "struct-field") return [];
    const { name, span, items: own } = each;
    const member = `${outer}.${name.text}`;
    reading.declare(declared, member, { span }, "field");
    reading.reportName(name.text, name.span);
    reportSlips(own, "a struct-field", reading);
    return [{ member, name, span, items: own }, ...memberStatements(own, member, reading)];
  });
}

/**
 * What `struct-field`s make of a field: `person.name` may be an attribute of its own, as may members of what it is. What is said of
 * one in several places counts together: `struct-field a { struct-field b { … } }` and `struct-field a.b { … }`.
 */
function structFields(
  items: readonly Tree.FieldItem[],
  { name: outer, where }: Pick<Field, "name" | "where">,
  reading: Reading,
): Field[] {
  const statements = memberStatements(items, outer.text, reading);
  const members = new Set(statements.map(({ member }) => member));
  return Array.from(members, (member): Field => {
    const own = statements.filter((each) => each.member === member);
    // In the order of the text, with what those around it say.
    const settings = statements
      .filter((each) => `${member}.`.startsWith(`${each.member}.`))
      .flatMap((each) => each.items);
    const indexing = own.map(({ name, items: each }) => indexingOf(name, each, reading));
    const attributes = own.filter((each) => detailsOf("attribute", each.items).length > 0);
    const { name, span } = element(own, 0);
    return {
      ...{ name: { text: member, span: name.span }, span, where, typeText: "" },
      isAttribute: indexing.some(({ isAttribute }) => isAttribute),
      isIndex: indexing.some(({ isIndex }) => isIndex),
      inputs: indexing.flatMap(({ inputs }) => inputs),
      enablesBm25: false,
      // The last that says anything of the attribute says all of it.
      isFastSearch: hasFastSearch(attributes.at(-1)?.items ?? []),
      ...matchingOf([...items, ...settings]),
    };
  });
}

/** `import field reference.field as name {}` */
export function readImport(
  { name, reference, keyword, span }: Tree.ImportStatement,
  reading: Reading,
): Field[] {
  if (!/^[\w$-]+\.[\w$.-]+$/.test(reference.text)) {
    reading.report(problem("schema/name", keyword.span, { what: "import" }));
    return [];
  }
  const indexing = { isAttribute: true, isIndex: false, enablesBm25: false, isFastSearch: false };
  return [{ name, span, where: "imported", typeText: reference.text, ...indexing }];
}

const saysOfAttribute = (word: string, items: readonly Tree.FieldItem[]): boolean =>
  detailsOf("attribute", items).some(({ keyword }) => keyword.text === word);

const hasFastSearch = (items: readonly Tree.FieldItem[]): boolean => saysOfAttribute("fast-search", items);

/** What the indexing of a field makes of it. */
function indexingOf(
  { text }: Tree.FieldStatement["name"],
  items: readonly Tree.FieldItem[],
  reading: Reading,
): Indexing {
  const scripts = items.filter((each) => each.kind === "indexing");
  return readIndexing(text, scripts, reading);
}

/** What all settings with a keyword say, behind the colon or between the braces. */
const detailsOf = (keyword: string, items: readonly Tree.FieldItem[]): readonly Tree.Detail[] =>
  items.flatMap((each) => (each.kind === "setting" && each.keyword.text === keyword ? each.details : []));
