import { describe, expect, test } from "vitest";
import { parseExpression } from "../../../src/language/syntax/parse.js";
import { checkPackage } from "../../../src/vespa.js";
import { casesOf, explained, hasCases } from "../../conformance/cases.js";
import { packageOf } from "../../packages.js";
import { patient } from "../../patience.js";

/**
 * Real rank profiles, put back into a schema with the types that are declared with them, are checked as packages are.
 * What such a profile inherits or mentions from elsewhere is not there; all that is must fit together, unless the list
 * says why Vespa refuses it too.
 */
interface Row {
  readonly source: string;
  readonly profile: string;
  readonly inherits: string | null;
  /** `first-phase`, or `function f`. */
  readonly name: string;
  readonly args?: readonly string[];
  readonly expr: string;
  readonly all_inputs: Readonly<Record<string, { readonly type?: string }>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly constants: Readonly<Record<string, { readonly type?: string }>>;
}

/** Names of what stands elsewhere, in files that are not among the cases. */
const elsewhere = new Set(["feature/unknown", "name/unknown", "name/unknown-function", "file/unreadable"]);

describe.skipIf(!hasCases("profiles/expressions"))("rank profiles", () => {
  test("check as packages, or Vespa refuses them too", patient, () => {
    const surprises = new Map<string, string>();
    let [checked, clean] = [0, 0];
    for (const rows of profiles()) {
      const { problems } = checkPackage(packageOf({ "schemas/s.sd": schemaOf(rows) }));
      const errors = problems.filter((each) => each.isError);
      if (errors.length === 0) clean++;
      checked++;
      for (const { code, span, message } of errors.filter((each) => !elsewhere.has(each.code)))
        surprises.set(`${code} ${span.source.text.slice(span.start, span.end)}`, message);
    }
    const reasons = explained["rank-profiles"] ?? {};
    expect([...surprises.keys()].sort()).toEqual(Object.keys(reasons).sort());
    expect(checked).toBeGreaterThan(500);
    expect(clean).toBeGreaterThan(0.85 * checked);
  });
});

/** The expressions of each profile that can be read. A name that comes again begins another profile. */
function profiles(): Row[][] {
  const groups: Row[][] = [];
  for (const row of casesOf<Row>("profiles/expressions")) {
    const isFile = /^file\s*:/.test(row.expr.trim());
    if (isFile || parseExpression({ name: row.name, text: row.expr }).tree === undefined) continue;
    const last = groups.at(-1);
    const [first] = last ?? [];
    const isSame = first?.source === row.source && first.profile === row.profile;
    if (last !== undefined && isSame && last.every((each) => each.name !== row.name)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** Tensors of most types, truths, and what `attributeMatch` is of have no index. */
const indexingOf = (name: string, type: string, rows: readonly Row[]): string =>
  /^(?:tensor|bool)/.test(type) || rows.some(({ expr }) => expr.includes(`attributeMatch(${name})`))
    ? "attribute"
    : "attribute | index";

/** Some of the profiles are templates, with words for sizes. */
const isType = (text: string | undefined): text is string =>
  text !== undefined &&
  (!text.startsWith("tensor") || /^tensor(<\w+>)?\((\s*\w+(\{\}|\[\d+\])\s*,?)*\)$/.test(text.trim()));

function schemaOf(rows: readonly Row[]): string {
  const typed = (of: (row: Row) => Readonly<Record<string, { readonly type?: string }>>): string[] =>
    Object.entries(Object.assign({}, ...rows.map(of)) as ReturnType<typeof of>).flatMap(([name, { type }]) =>
      isType(type) ? [`${name} ${type}`] : [],
    );
  const fields = Object.entries(
    Object.assign({}, ...rows.map((each) => each.fields)) as Readonly<Record<string, string>>,
  );
  const expressions = rows.map(({ name, args = [], expr }) => {
    const head = name.startsWith("function") ? `${name}(${args.join(", ")})` : name;
    return `${head} { expression {\n${expr}\n} }`;
  });
  // The profile and the document inherit what is not here, so that what is unknown may be there.
  return [
    "schema s { document s inherits elsewhere {",
    ...fields.flatMap(([name, type]) =>
      isType(type)
        ? [`field ${name} type ${type} { indexing: ${indexingOf(name, type, rows)}\nindex: enable-bm25 }`]
        : [],
    ),
    `} rank-profile p ${rows[0]?.inherits == null ? "" : "inherits elsewhere"} {`,
    `inputs {\n${typed((each) => each.all_inputs).join("\n")}\n}`,
    `constants {\n${typed((each) => each.constants)
      .map((each) => `${each}: file:constants/absent.json`)
      .join("\n")}\n}`,
    ...expressions,
    "} }",
  ].join("\n");
}
