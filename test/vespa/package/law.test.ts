import fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkPackage,
  completedQuery,
  Document,
  Ranking,
  readFeed,
  readQuery,
  soundProfile,
} from "../../../src/vespa.js";
import { holds } from "../../chance.js";
import { first, packageOf, type Texts } from "../../packages.js";

/**
 * Whole packages by chance: three rank profiles that inherit each other and replace parts of what they inherit, and a query
 * whose values come from several sources. A plain model computes the scores: trees of whole numbers, and maps that it looks
 * names up in. All results are exact, or the case is left out.
 */
type Tree =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "query" | "attribute" | "constant" | "parameter"; readonly name: string }
  | { readonly kind: "dot" }
  | { readonly kind: "binary"; readonly operator: Operator; readonly left: Tree; readonly right: Tree }
  | {
      readonly kind: "choice";
      readonly left: Tree;
      readonly right: Tree;
      readonly yes: Tree;
      readonly no: Tree;
    }
  | { readonly kind: "call"; readonly name: string; readonly inputs: readonly Tree[] };

const operators = {
  "+": (left: number, right: number) => left + right,
  "-": (left: number, right: number) => left - right,
  "*": (left: number, right: number) => left * right,
  min: Math.min,
  max: Math.max,
};
type Operator = keyof typeof operators;

type Numbers = Readonly<Record<string, number>>;

/** What one rank profile writes; the first of the three writes a body of each function and a value of each constant. */
interface Level {
  readonly functions: Readonly<Record<string, Tree>>;
  readonly constants: Numbers;
  readonly defaults: Numbers;
  readonly properties: Numbers;
  readonly phase: Tree | undefined;
}

interface Case {
  readonly levels: readonly Level[];
  /** Values of the request, of its query profile, and of the one that this inherits. */
  readonly request: Numbers;
  readonly profile: Numbers;
  readonly inherited: Numbers;
  /** How the request spells its inputs. */
  readonly spelling: string;
  readonly vectors: {
    readonly preset: readonly number[] | undefined;
    readonly request: readonly number[] | undefined;
  };
  readonly documents: readonly {
    readonly price: number;
    readonly stock: number;
    readonly v: readonly number[];
  }[];
  readonly isReversed: boolean;
}

/** Functions with their parameters; each may call those before it. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  plain: [],
  one: ["x"],
  two: ["y", "x"],
  last: [],
};
const functionNames = Object.keys(parameters);
const inputNames = ["a", "b", "c"];
const constantNames = ["k", "l"];

const whole = fc.integer({ min: -4, max: 4 });
const vector = fc.array(whole, { minLength: 3, maxLength: 3 });

/** Trees over these parameters and functions. */
function trees(depth: number, names: readonly string[], functions: readonly string[]): fc.Arbitrary<Tree> {
  const named = (kind: "query" | "attribute" | "constant" | "parameter", all: readonly string[]) =>
    all.length === 0 ? [] : [fc.constantFrom(...all).map((name): Tree => ({ kind, name }))];
  const leaf = fc.oneof(
    whole.map((number): Tree => ({ kind: "number", number })),
    ...named("query", inputNames),
    ...named("attribute", ["price", "stock"]),
    ...named("constant", constantNames),
    ...named("parameter", names),
    fc.constant<Tree>({ kind: "dot" }),
  );
  if (depth === 0) return leaf;
  const inner = trees(depth - 1, names, functions);
  const operator = fc.constantFrom<Operator>("+", "-", "*", "min", "max");
  const calls = functions.map((name) =>
    fc
      .tuple(...(parameters[name] ?? []).map(() => inner))
      .map((inputs): Tree => ({ kind: "call", name, inputs })),
  );
  return fc.oneof(
    leaf,
    fc.record({ kind: fc.constant("binary" as const), operator, left: inner, right: inner }),
    fc.record({ kind: fc.constant("choice" as const), left: inner, right: inner, yes: inner, no: inner }),
    ...calls,
  );
}

const bodies = Object.fromEntries(
  functionNames.map((name, at) => [name, trees(2, parameters[name] ?? [], functionNames.slice(0, at))]),
);
/** Values of all of these, or of some. */
const allOf = <Value>(values: Readonly<Record<string, fc.Arbitrary<Value>>>) =>
  fc.record<Record<string, Value>>({ ...values });
const someOf = <Value>(values: Readonly<Record<string, fc.Arbitrary<Value>>>) =>
  fc
    .subarray(Object.entries(values))
    .chain((entries) => fc.record<Record<string, Value>>(Object.fromEntries(entries)));
/** Often none, so that what counts less is seen as well. */
const fewOf = <Value>(values: Readonly<Record<string, fc.Arbitrary<Value>>>) =>
  fc.oneof(fc.constant({}), fc.constant({}), someOf(values));
const inputs = Object.fromEntries(inputNames.map((name) => [name, whole]));
const constants = Object.fromEntries(constantNames.map((name) => [name, whole]));
/** First phases: each input and constant counts in a decimal place of its own, so that none can be mistaken unseen. */
const phases = trees(3, [], functionNames).map((tree) => {
  const parts = [
    ...inputNames.map((name): Tree => ({ kind: "query", name })),
    ...constantNames.map((name): Tree => ({ kind: "constant", name })),
  ];
  return parts.reduce((left, part, at): Tree => {
    const weight: Tree = { kind: "number", number: 10 ** (at + 1) };
    const right: Tree = { kind: "binary", operator: "*", left: weight, right: part };
    return { kind: "binary", operator: "+", left, right };
  }, tree);
});

const levels = (isFirst: boolean): fc.Arbitrary<Level> =>
  fc.record({
    functions: isFirst ? allOf(bodies) : someOf(bodies),
    constants: isFirst ? allOf(constants) : someOf(constants),
    defaults: someOf(inputs),
    properties: someOf(inputs),
    phase: isFirst ? phases : fc.option(phases, { nil: undefined }),
  });

const cases: fc.Arbitrary<Case> = fc.record({
  levels: fc.tuple(levels(true), levels(false), levels(false)),
  request: fewOf(inputs),
  profile: fewOf(inputs),
  inherited: fewOf(inputs),
  spelling: fc.constantFrom("input.", "ranking.features.", "rankfeature.", "ranking.properties."),
  vectors: fc.record({
    preset: fc.option(vector, { nil: undefined }),
    request: fc.option(vector, { nil: undefined }),
  }),
  documents: fc.array(fc.record({ price: whole, stock: whole, v: vector }), { minLength: 1, maxLength: 3 }),
  isReversed: fc.boolean(),
});

/** Beyond this, whole numbers are no longer exact. */
const most = 2 ** 53;

/** The score of a document, by the model. */
function expected(of: Case, document: Case["documents"][number]): number {
  const lineage = [...of.levels].reverse();
  const nearest = (all: readonly Numbers[], name: string): number =>
    all.flatMap((each) => each[name] ?? [])[0] ?? 0;
  const sources = [of.request, of.profile, of.inherited];
  const ofQuery = [
    ...sources,
    ...lineage.map((each) => each.properties),
    ...lineage.map((each) => each.defaults),
  ];
  const factor = of.vectors.request ?? of.vectors.preset ?? [0, 0, 0];
  const dot = document.v.reduce((total, each, at) => total + each * (factor[at] ?? Number.NaN), 0);

  const evaluate = (tree: Tree, scope: Numbers): number => {
    const number = step(tree, scope);
    fc.pre(Math.abs(number) < most);
    return number;
  };
  const step = (tree: Tree, scope: Numbers): number => {
    switch (tree.kind) {
      case "number":
        return tree.number;
      case "query":
        return nearest(ofQuery, tree.name);
      case "attribute":
        return tree.name === "price" ? document.price : document.stock;
      case "constant":
        return nearest(
          lineage.map((each) => each.constants),
          tree.name,
        );
      case "parameter":
        return scope[tree.name] ?? Number.NaN;
      case "dot":
        return dot;
      case "binary":
        return operators[tree.operator](evaluate(tree.left, scope), evaluate(tree.right, scope));
      case "choice":
        return evaluate(tree.left, scope) < evaluate(tree.right, scope)
          ? evaluate(tree.yes, scope)
          : evaluate(tree.no, scope);
      case "call": {
        const names = parameters[tree.name] ?? [];
        const inner = names.map((name, at) => [name, evaluateAt(tree.inputs, at, scope)]);
        return evaluate(first(lineage.map((each) => each.functions[tree.name])), Object.fromEntries(inner));
      }
    }
  };
  const evaluateAt = (inputs: readonly Tree[], at: number, scope: Numbers): number =>
    evaluate(first([inputs[at]]), scope);
  return evaluate(first(lineage.map((each) => each.phase)), {});
}

/** A tree as an expression of Vespa. */
function written(tree: Tree): string {
  switch (tree.kind) {
    case "number":
      return tree.number < 0 ? `(${tree.number})` : `${tree.number}`;
    case "parameter":
      return tree.name;
    case "query":
    case "attribute":
    case "constant":
      return `${tree.kind}(${tree.name})`;
    case "dot":
      return "sum(query(v) * attribute(v))";
    case "binary": {
      const [left, right] = [written(tree.left), written(tree.right)];
      const isCall = tree.operator === "min" || tree.operator === "max";
      return isCall ? `${tree.operator}(${left}, ${right})` : `(${left} ${tree.operator} ${right})`;
    }
    case "choice":
      return `if (${written(tree.left)} < ${written(tree.right)}, ${written(tree.yes)}, ${written(tree.no)})`;
    case "call":
      return tree.inputs.length === 0 ? tree.name : `${tree.name}(${tree.inputs.map(written).join(", ")})`;
  }
}

const lines = (entries: readonly string[]): string => entries.map((each) => `      ${each}\n`).join("");

function profileText(
  level: Level,
  name: string,
  parent: string | undefined,
  preset?: readonly number[],
): string {
  const declared = parent === undefined ? inputNames : Object.keys(level.defaults);
  const inputs = declared.map((each) => {
    const value = level.defaults[each];
    return `query(${each}) double${value === undefined ? "" : `: ${value}`}`;
  });
  if (parent === undefined)
    inputs.push(`query(v) tensor<double>(x[3])${preset === undefined ? "" : `: [${preset.join(",")}]`}`);
  const functions = Object.entries(level.functions).map(
    ([each, body]) =>
      `function ${each}(${(parameters[each] ?? []).join(", ")}) { expression: ${written(body)} }`,
  );
  return `  rank-profile ${name}${parent === undefined ? "" : ` inherits ${parent}`} {
    inputs {
${lines(inputs)}    }
    constants {
${lines(Object.entries(level.constants).map(([each, value]) => `${each}: ${value}`))}    }
    rank-properties {
${lines(Object.entries(level.properties).map(([each, value]) => `query(${each}): ${value}`))}    }
${lines(functions)}${level.phase === undefined ? "" : `    first-phase { expression: ${written(level.phase)} }\n`}  }
`;
}

function textsOf({ levels, profile, inherited, vectors, isReversed }: Case): Texts {
  const names = ["base", "middle", "leaf"];
  const profiles = levels.map((each, at) =>
    profileText(each, names[at] ?? "", names[at - 1], at === 0 ? vectors.preset : undefined),
  );
  const fields = (all: Numbers): string =>
    Object.entries(all)
      .map(([name, value]) => `<field name="ranking.features.query(${name})">${value}</field>`)
      .join("\n");
  return {
    "schemas/doc.sd": `schema doc {
  document doc {
    field price type double { indexing: attribute }
    field stock type int { indexing: attribute }
    field v type tensor<double>(x[3]) { indexing: attribute }
  }
${(isReversed ? profiles.reverse() : profiles).join("")}}
`,
    "search/query-profiles/default.xml": `<query-profile id="default" inherits="shared">${fields(profile)}</query-profile>`,
    "search/query-profiles/shared.xml": `<query-profile id="shared">${fields(inherited)}</query-profile>`,
  };
}

const cells = 1_000_000;

/** The scores of the documents, by Sphex. */
function scored(of: Case): number[] {
  const read = packageOf(textsOf(of));
  const checked = checkPackage(read);
  const errors = [...read.problems, ...checked.problems].filter((each) => each.severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checked, "leaf", nowhere);
  const vectorOf = of.vectors.request === undefined ? [] : [["input.query(v)", of.vectors.request]];
  const values = Object.entries(of.request).map(([name, value]) => [`${of.spelling}query(${name})`, value]);
  const text = JSON.stringify(Object.fromEntries([...values, ...vectorOf]));
  const { query } = completedQuery(readQuery({ name: "query", text }).query, read);
  const scorer = new Ranking({ package: read, profile }).scorer({ query, cells });
  return of.documents.map((fields, at) => {
    const feed = readFeed({ name: "feed", text: JSON.stringify({ put: `id:a:doc::${at}`, fields }) });
    const [entry] = feed;
    if (entry?.document === undefined) throw new Error("the feed has no document");
    return scorer.number("first-phase", { document: new Document(`${at}`, entry.document.fields, cells) });
  });
}

test("scores of packages are those of a plain model", () => {
  holds(
    fc.property(cases, (of) => {
      const model = of.documents.map((each) => expected(of, each) + 0);
      expect(scored(of).map((each) => each + 0)).toEqual(model);
    }),
    30,
  );
});
