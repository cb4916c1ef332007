import { readType } from "../../formats/literal.js";
import type { Span } from "../../language/source/span.js";
import { textOf, trimmed } from "./blocks.js";
import type { Field } from "./model.js";
import type { Reading } from "./reading.js";
import { type Statement, statementsIn, valueAfter, wordsIn } from "./statements.js";

/** `field name type tensor<float>(x[3]) { indexing: attribute … }`, and the fields of structs that it makes attributes. */
export function readField(statement: Statement, where: "document" | "outside", reading: Reading): Field[] {
  const { keyword, head, body, span } = statement;
  const form = /^([\w$.-]+)\s+type\s+(?=\S)/.exec(textOf(head));
  const [name] = wordsIn(head);
  if (form === null || name === undefined) {
    reading.report("schema/name", keyword.span, { what: "field", wanted: "field name type string { … }" });
    return [];
  }
  const type = trimmed({ ...head, start: head.start + form[0].length });
  const typeText = textOf(type);
  const tensorType = typeText.startsWith("tensor") ? reading.part(type, readType) : undefined;
  const statements = body === undefined ? [] : statementsIn(body);
  const metric = distanceMetric(statements);
  const indexing = indexingOf(statements);
  const field: Field = {
    ...{ name, span, where, typeText },
    ...(tensorType === undefined ? {} : { tensorType }),
    isAttribute: /\battribute\b/.test(indexing),
    isIndex: /\bindex\b/.test(indexing),
    enablesBm25: textsOf(statements, "index").some((each) => /\benable-bm25\b/.test(each)),
    ...(metric === undefined ? {} : { distanceMetric: metric }),
  };
  return [field, ...structFields(statements, field)];
}

/** What `struct-field`s make of a field: `person.name` may be an attribute of its own. */
function structFields(statements: readonly Statement[], outer: Field): Field[] {
  return statements.flatMap(({ keyword, head, body, span }): Field[] => {
    const [name] = wordsIn(head);
    if (keyword.text !== "struct-field" || name === undefined || body === undefined) return [];
    const indexing = indexingOf(statementsIn(body));
    const whole = { text: `${outer.name.text}.${name.text}`, span: name.span };
    const isAttribute = /\battribute\b/.test(indexing);
    const field = { name: whole, span, where: outer.where, typeText: "", isAttribute };
    return [{ ...field, isIndex: /\bindex\b/.test(indexing), enablesBm25: false }];
  });
}

/** `import field reference.field as name {}` */
export function readImport({ keyword, head, span }: Statement, reading: Reading): Field[] {
  const form = /^field\s+([\w$-]+\.[\w$.-]+)\s+as\s+([\w$.-]+)$/.exec(textOf(head));
  const name = wordsIn(head).at(-1);
  if (form === null || name === undefined) {
    const values = { what: "import", wanted: "import field reference.field as name {}" };
    reading.report("schema/name", keyword.span, values);
    return [];
  }
  const indexing = { isAttribute: true, isIndex: false, enablesBm25: false };
  return [{ name, span, where: "imported", typeText: form[1] ?? "", ...indexing }];
}

/** The text of the indexing script, without what is quoted in it. */
const indexingOf = (statements: readonly Statement[]): string =>
  textsOf(statements, "indexing")
    .join(" ")
    .replace(/"[^"\n]*"|#.*/g, "");

function distanceMetric(statements: readonly Statement[]): string | undefined {
  const blocks = statements.filter((each) => each.keyword.text === "attribute" && each.body !== undefined);
  const inBlock = blocks.map(({ body }) => valueAfter(statementsIn(body as Span), "distance-metric")); // blocks have one
  const found = inBlock.find((each) => each !== undefined);
  if (found !== undefined) return textOf(found);
  return textsOf(statements, "attribute")
    .map((each) => /\bdistance-metric\s*:?\s*([\w-]+)/.exec(each)?.[1])
    .find((each) => each !== undefined);
}

/** What all statements with a keyword say, behind the colon or between the braces. */
function textsOf(statements: readonly Statement[], keyword: string): string[] {
  return statements.flatMap(({ keyword: { text }, value, body }) => {
    const said = value ?? body;
    return text === keyword && said !== undefined ? [textOf(said)] : [];
  });
}
