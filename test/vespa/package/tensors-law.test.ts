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
import {
  absent,
  type Cells,
  cellsOf,
  type Dimension,
  form,
  isMapped,
  joined,
  json,
  literal,
  type Operator,
  operators,
  reduced,
  renamed,
  typeOf,
  union,
  without,
} from "./labelled-cells.js";

/**
 * Whole packages by chance with tensors: two schemas, of which one inherits the other and its rank profile a profile of the
 * other, attributes, inputs and constants with labels, indexes and both, and functions of tensors. A plain model computes the
 * scores: maps from addresses to whole numbers.
 */
type Kind = "attribute" | "query" | "constant";

/** What a tensor is called, and which dimensions it has. */
const leaves: Readonly<Record<Kind, Readonly<Record<string, readonly Dimension[]>>>> = {
  attribute: { am: ["m"], ax: ["x"], amx: ["m", "x"], any: ["n", "y"], sx: ["x"] },
  query: { qm: ["m"], qx: ["x"], qny: ["n", "y"], q: [] },
  constant: { cm: ["m"], cx: ["x"], cmx: ["m", "x"], cy: ["y"] },
};

type Tree =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: Kind | "parameter"; readonly name: string; readonly dimensions: readonly Dimension[] }
  | { readonly kind: "join"; readonly operator: Operator; readonly left: Tree; readonly right: Tree }
  | {
      readonly kind: "reduce";
      readonly aggregator: "sum" | "max";
      readonly over: readonly Dimension[];
      readonly of: Tree;
    }
  | { readonly kind: "rename"; readonly from: Dimension; readonly to: Dimension; readonly of: Tree }
  | { readonly kind: "call"; readonly name: FunctionName; readonly inputs: readonly Tree[] };

/** Functions with the dimensions of their parameters and of what they return; each may call those before it. */
const signatures = {
  vector: { parameters: {}, result: ["x"] },
  table: { parameters: { s: ["m", "x"], t: ["x"] }, result: ["m"] },
  scale: { parameters: { s: ["m"], k: [] }, result: ["m"] },
  total: { parameters: {}, result: [] },
} as const satisfies Record<
  string,
  { parameters: Record<string, readonly Dimension[]>; result: readonly Dimension[] }
>;
type FunctionName = keyof typeof signatures;
const functionNames: readonly FunctionName[] = ["vector", "table", "scale", "total"];
const parametersOf = (name: FunctionName): [string, readonly Dimension[]][] =>
  Object.entries(signatures[name].parameters);

function dimensionsOf(tree: Tree): readonly Dimension[] {
  switch (tree.kind) {
    case "number":
      return [];
    case "attribute":
    case "query":
    case "constant":
    case "parameter":
      return tree.dimensions;
    case "join":
      return union(dimensionsOf(tree.left), dimensionsOf(tree.right));
    case "reduce":
      return without(dimensionsOf(tree.of), tree.over);
    case "rename":
      return union(without(dimensionsOf(tree.of), [tree.from]), [tree.to]);
    case "call":
      return signatures[tree.name].result;
  }
}

/** A tree made to have these dimensions: others are summed over, and those that it lacks come from constants. */
function shaped(tree: Tree, dimensions: readonly Dimension[]): Tree {
  const lacking = without(dimensions, dimensionsOf(tree));
  const extra = without(dimensionsOf(tree), dimensions);
  const reduced: Tree =
    extra.length === 0 ? tree : { kind: "reduce", aggregator: "sum", over: extra, of: tree };
  return lacking.reduce((left: Tree, dimension): Tree => {
    const name = dimension === "m" ? "cm" : dimension === "x" ? "cx" : "cy";
    const right: Tree = { kind: "constant", name, dimensions: [dimension] };
    return { kind: "join", operator: "*", left, right };
  }, reduced);
}

const whole = fc.integer({ min: -3, max: 3 });

/** The attribute that only the schema has that inherits. */
const own = "sx";

function trees(
  depth: number,
  parameters: readonly [string, readonly Dimension[]][],
  functions: readonly FunctionName[],
  isFirst: boolean,
): fc.Arbitrary<Tree> {
  const named = Object.entries(leaves).flatMap(([kind, tensors]) =>
    Object.entries(tensors)
      .filter(([name]) => !isFirst || name !== own)
      .map(([name, dimensions]): Tree => ({ kind: kind as Kind, name, dimensions })),
  );
  const inScope = parameters.map(([name, dimensions]): Tree => ({ kind: "parameter", name, dimensions }));
  const leaf = fc.oneof(
    fc.constantFrom(...named),
    ...(inScope.length === 0 ? [] : [{ weight: 2, arbitrary: fc.constantFrom(...inScope) }]),
    whole.filter((number) => number !== 0).map((number): Tree => ({ kind: "number", number })),
  );
  if (depth === 0) return leaf;
  const inner = trees(depth - 1, parameters, functions, isFirst);
  const operator = fc.constantFrom<Operator>("+", "-", "*", "*", "max");
  const join = fc.record({ operator, left: inner, right: inner }).map(({ operator, left, right }): Tree => {
    // A tensor with a constant factor 0 is deployed as a number, which is not what this is about.
    const isConstant = left.kind === "number" && right.kind === "number";
    return isConstant ? left : { kind: "join", operator, left, right };
  });
  const reduce = fc
    .tuple(inner, fc.subarray<Dimension>(["m", "n", "x", "y"]), fc.boolean())
    .map(([of, some, isMax]): Tree => {
      const over = dimensionsOf(of).filter((each) => some.includes(each));
      if (over.length === 0) return of;
      // The greatest of no cells is not what this is about.
      const aggregator = isMax && !over.some(isMapped) ? "max" : "sum";
      return { kind: "reduce", aggregator, over, of };
    });
  const rename = inner.map((of): Tree => {
    const dimensions = dimensionsOf(of);
    return dimensions.includes("m") && !dimensions.includes("n")
      ? { kind: "rename", from: "m", to: "n", of }
      : of;
  });
  const calls = functions.map((name) =>
    fc
      .tuple(...parametersOf(name).map(([, dimensions]) => inner.map((tree) => shaped(tree, dimensions))))
      .map((inputs): Tree => ({ kind: "call", name, inputs })),
  );
  return fc.oneof(leaf, { weight: 3, arbitrary: join }, { weight: 2, arbitrary: reduce }, rename, ...calls);
}

type Tensors = Readonly<Record<string, Cells | undefined>>;
const tensorsOf = (
  of: Readonly<Record<string, readonly Dimension[]>>,
  isOptional: boolean,
): fc.Arbitrary<Tensors> =>
  fc.record(
    Object.fromEntries(
      Object.entries(of).map(([name, dimensions]) => {
        const cells = cellsOf(dimensions);
        return [name, isOptional ? fc.option(cells, { nil: undefined }) : cells];
      }),
    ),
  );

interface Level {
  readonly functions: Partial<Readonly<Record<FunctionName, Tree>>>;
  readonly constants: Tensors;
  readonly defaults: Tensors;
  readonly phase: Tree | undefined;
}

/** Beside a tree, each input and constant in decimal places of its own, so that none can be mistaken unseen. */
function counting(tree: Tree): Tree {
  const named = (["query", "constant"] as const).flatMap((kind) =>
    Object.entries(leaves[kind]).map(([name, dimensions]): Tree => ({ kind, name, dimensions })),
  );
  return named.reduce((left, leaf, at): Tree => {
    const weight: Tree = { kind: "number", number: (at + 1) * 100 };
    const right: Tree = { kind: "join", operator: "*", left: weight, right: shaped(leaf, []) };
    return { kind: "join", operator: "+", left, right };
  }, tree);
}

const levels = (isFirst: boolean): fc.Arbitrary<Level> => {
  const bodies = functionNames.map((name, at): [FunctionName, fc.Arbitrary<Tree>] => {
    const inner = trees(2, parametersOf(name), functionNames.slice(0, at), isFirst);
    return [name, inner.map((tree) => shaped(tree, signatures[name].result))];
  });
  const phase = trees(3, [], functionNames, isFirst).map((tree) => counting(shaped(tree, [])));
  return fc.record({
    functions: fc
      .subarray(bodies, { minLength: isFirst ? bodies.length : 0 })
      .chain((some) => fc.record<Level["functions"]>(Object.fromEntries(some))),
    constants: tensorsOf(leaves.constant, !isFirst),
    defaults: tensorsOf(leaves.query, true),
    phase: isFirst ? phase : fc.option(phase, { nil: undefined }),
  });
};

const cases = fc.record({
  levels: fc.tuple(levels(true), levels(false)),
  request: tensorsOf(leaves.query, true),
  documents: fc.array(tensorsOf(leaves.attribute, true), { minLength: 1, maxLength: 2 }),
  cellTypes: fc.array(fc.constantFrom("double", "float", "bfloat16", "int8"), { minLength: 4, maxLength: 4 }),
  form: fc.record({ document: form, query: form }),
  isOfFile: fc.boolean(),
});
type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

/** Floats hold such whole numbers exactly. */
const most = 2 ** 24;

function expected({ levels, request }: Case, document: Tensors): number {
  const lineage = [...levels].reverse();
  const leaf = (kind: Kind, name: string, dimensions: readonly Dimension[]): Cells => {
    const sources = {
      attribute: [document],
      query: [request, ...lineage.map((each) => each.defaults)],
      constant: lineage.map((each) => each.constants),
    }[kind];
    return sources.map((each) => each[name]).find((each) => each !== undefined) ?? absent(dimensions);
  };
  const evaluate = (tree: Tree, scope: ReadonlyMap<string, Cells>): Cells => {
    const value = step(tree, scope);
    for (const cell of value.cells.values()) fc.pre(Math.abs(cell) < most);
    return value;
  };
  const step = (tree: Tree, scope: ReadonlyMap<string, Cells>): Cells => {
    switch (tree.kind) {
      case "number":
        return { dimensions: [], cells: new Map([["", tree.number]]) };
      case "attribute":
      case "query":
      case "constant":
        return leaf(tree.kind, tree.name, tree.dimensions);
      case "parameter":
        return first([scope.get(tree.name)]);
      case "join":
        return joined(evaluate(tree.left, scope), evaluate(tree.right, scope), operators[tree.operator]);
      case "reduce":
        return reduced(evaluate(tree.of, scope), tree.over, tree.aggregator);
      case "rename":
        return renamed(evaluate(tree.of, scope), tree.from, tree.to);
      case "call": {
        const names = parametersOf(tree.name).map(([name]) => name);
        const inputs = tree.inputs.map((each, at): [string, Cells] => [
          names[at] ?? "",
          evaluate(each, scope),
        ]);
        return evaluate(first(lineage.map((each) => each.functions[tree.name])), new Map(inputs));
      }
    }
  };
  const { cells } = evaluate(first(lineage.map((each) => each.phase)), new Map());
  return cells.get("") ?? 0;
}

function text(tree: Tree): string {
  switch (tree.kind) {
    case "number":
      return tree.number < 0 ? `(${tree.number})` : `${tree.number}`;
    case "parameter":
      return tree.name;
    case "attribute":
    case "query":
    case "constant":
      return `${tree.kind}(${tree.name})`;
    case "join":
      return tree.operator === "max"
        ? `join(${text(tree.left)}, ${text(tree.right)}, f(a,b)(max(a, b)))`
        : `(${text(tree.left)} ${tree.operator} ${text(tree.right)})`;
    case "reduce":
      return `${tree.aggregator}(${[text(tree.of), ...tree.over].join(", ")})`;
    case "rename":
      return `rename(${text(tree.of)}, ${tree.from}, ${tree.to})`;
    case "call":
      return tree.inputs.length === 0 ? tree.name : `${tree.name}(${tree.inputs.map(text).join(", ")})`;
  }
}

function profileText(
  name: string,
  { functions, constants, defaults, phase }: Level,
  isFirst: boolean,
  types: readonly string[],
): string {
  const inputs = Object.entries(leaves.query).flatMap(([each, dimensions], at) => {
    const value = defaults[each];
    return value === undefined && !isFirst
      ? []
      : [
          `query(${each}) ${typeOf(dimensions, types[at] ?? "")}${value === undefined ? "" : `: ${literal(value)}`}`,
        ];
  });
  const values = Object.entries(leaves.constant).flatMap(([each, dimensions]) => {
    const value = constants[each];
    return value === undefined ? [] : [`${each} ${typeOf(dimensions, "double")}: ${literal(value)}`];
  });
  const bodies = functionNames.flatMap((each) => {
    const body = functions[each];
    const list = parametersOf(each).map(([parameter]) => parameter);
    return body === undefined ? [] : [`function ${each}(${list.join(", ")}) { expression: ${text(body)} }`];
  });
  return `rank-profile ${name} {
    inputs {
      ${inputs.join("\n      ")}
    }
    constants {
      ${values.join("\n      ")}
    }
    ${bodies.join("\n    ")}
    ${phase === undefined ? "" : `first-phase { expression: ${text(phase)} }`}
  }
`;
}

function textsOf({ levels: [base, leaf], cellTypes, isOfFile }: Case): Texts {
  const fields = Object.entries(leaves.attribute).map(([name, dimensions], at) => {
    const type = typeOf(dimensions, cellTypes[at] ?? "double");
    return { name, line: `field ${name} type ${type} { indexing: attribute }` };
  });
  const [inherited, others] = [false, true].map((isOwn) =>
    fields.flatMap(({ name, line }) => ((name === own) === isOwn ? line : [])).join("\n    "),
  );
  const profile = profileText("leaf inherits base", leaf, false, cellTypes);
  return {
    "schemas/doc.sd": `schema doc {
  document doc {
    ${inherited}
  }
  ${profileText("base", base, true, cellTypes)}
}
`,
    "schemas/sub.sd": `schema sub inherits doc {
  document sub inherits doc {
    ${others}
  }
  ${isOfFile ? "" : profile}
}
`,
    ...(isOfFile ? { "schemas/sub/leaf.profile": profile } : {}),
  };
}

const cells = 1_000_000;

function scored(of: Case): number[] {
  const read = packageOf(textsOf(of));
  const checked = checkPackage(read);
  const errors = [...read.problems, ...checked.problems].filter((each) => each.severity === "error");
  // A function that is called in an argument of itself is a loop to Vespa.
  fc.pre(errors.every(({ code }) => code !== "portability/loop"));
  expect(errors.map(({ message }) => message)).toEqual([]);
  const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checked, "sub.leaf", nowhere);
  const types = Object.entries(leaves.query);
  const values = types.flatMap(([name, dimensions], at) => {
    const value = of.request[name];
    const type = typeOf(dimensions, of.cellTypes[at] ?? "");
    return value === undefined ? [] : [[`input.query(${name})`, json(value, of.form.query, type)]];
  });
  const query = readQuery({ name: "query", text: JSON.stringify(Object.fromEntries(values)) });
  const scorer = new Ranking({ package: read, profile }).scorer({
    ...{ query: completedQuery(query.query, read).query, cells },
  });
  const form = of.form.document === "literal" ? "cells" : of.form.document;
  return of.documents.map((document, at) => {
    const fields = Object.entries(leaves.attribute).flatMap(([name, dimensions], index) => {
      const value = document[name];
      const type = typeOf(dimensions, of.cellTypes[index] ?? "double");
      return value === undefined ? [] : [[name, json(value, form, type)]];
    });
    const put = { put: `id:a:sub::${at}`, fields: Object.fromEntries(fields) };
    const [entry] = readFeed({ name: "feed", text: JSON.stringify(put) });
    if (entry?.document === undefined) throw new Error("the feed has no document");
    return scorer.number("first-phase", { document: new Document(`${at}`, entry.document.fields, cells) });
  });
}

test("scores of packages with tensors are those of a plain model", () => {
  holds(
    fc.property(cases, (of) => {
      const model = of.documents.map((each) => expected(of, each) + 0);
      expect(scored(of).map((each) => each + 0)).toEqual(model);
    }),
    30,
  );
});
