import fc from "fast-check";

/** Tensors of whole numbers for tests of packages: a plain model of what is made of them, and the forms in which they are written. */
export type Dimension = "m" | "n" | "x" | "y";
export const labels = { m: ["a", "b", "c"], n: ["p", "q"], x: ["0", "1"], y: ["0", "1", "2"] } as const;
export const isMapped = (dimension: Dimension): boolean => dimension === "m" || dimension === "n";
const written = (dimension: Dimension): string =>
  isMapped(dimension) ? `${dimension}{}` : `${dimension}[${labels[dimension].length}]`;

/** A tensor: its dimensions in the order of their names, and cells by the labels of these. */
export interface Cells {
  readonly dimensions: readonly Dimension[];
  readonly cells: ReadonlyMap<string, number>;
}

const whole = fc.integer({ min: -3, max: 3 });

export const union = (left: readonly Dimension[], right: readonly Dimension[]): readonly Dimension[] =>
  [...new Set([...left, ...right])].sort();
export const without = (all: readonly Dimension[], some: readonly Dimension[]): readonly Dimension[] =>
  all.filter((each) => !some.includes(each));

/** The labels of all cells that a tensor of these dimensions may have. */
const keysOf = (dimensions: readonly Dimension[]): string[] =>
  dimensions.reduce<string[]>(
    (before, each) =>
      before.flatMap((key) => labels[each].map((label) => (key === "" ? label : `${key},${label}`))),
    [""],
  );

/** Tensors of these dimensions: dense parts are whole, labels are some. */
export function cellsOf(dimensions: readonly Dimension[]): fc.Arbitrary<Cells> {
  const mapped = dimensions.filter(isMapped);
  const dense = keysOf(without(dimensions, mapped));
  return fc.subarray(keysOf(mapped), { minLength: mapped.length === 0 ? 1 : 0 }).chain((some) =>
    fc
      .array(whole, { minLength: some.length * dense.length, maxLength: some.length * dense.length })
      .map((values): Cells => {
        // Names of mapped dimensions come before those of indexed ones.
        const all = some.flatMap((label) =>
          dense.map((index) => [label, index].filter((each) => each !== "").join(",")),
        );
        return { dimensions, cells: new Map(all.map((key, at) => [key, values[at] ?? Number.NaN])) };
      }),
  );
}

const keyOf = (labels: ReadonlyMap<Dimension, string>, dimensions: readonly Dimension[]): string =>
  dimensions.map((each) => labels.get(each)).join(",");
const addressOf = (key: string, dimensions: readonly Dimension[]): Map<Dimension, string> => {
  const parts = key.split(",");
  return new Map(dimensions.map((each, at) => [each, parts[at] ?? ""]));
};

/** What is not there has no cells; but indexed ones that are all there are 0. */
export const absent = (dimensions: readonly Dimension[]): Cells => ({
  dimensions,
  cells: new Map(dimensions.some(isMapped) ? [] : keysOf(dimensions).map((key) => [key, 0])),
});

export const operators = {
  "+": (left: number, right: number) => left + right,
  "-": (left: number, right: number) => left - right,
  "*": (left: number, right: number) => left * right,
  max: Math.max,
};
export type Operator = keyof typeof operators;

export function joined(left: Cells, right: Cells, operator: (left: number, right: number) => number): Cells {
  const dimensions = union(left.dimensions, right.dimensions);
  const cells = new Map<string, number>();
  for (const [leftKey, a] of left.cells) {
    for (const [rightKey, b] of right.cells) {
      const [one, other] = [addressOf(leftKey, left.dimensions), addressOf(rightKey, right.dimensions)];
      if ([...one].some(([dimension, label]) => (other.get(dimension) ?? label) !== label)) continue;
      cells.set(keyOf(new Map([...one, ...other]), dimensions), operator(a, b));
    }
  }
  return { dimensions, cells };
}

export function reduced(
  { dimensions, cells }: Cells,
  over: readonly Dimension[],
  aggregator: "sum" | "max",
): Cells {
  const rest = without(dimensions, over);
  const result = new Map<string, number>();
  for (const [key, value] of cells) {
    const to = keyOf(addressOf(key, dimensions), rest);
    const before = result.get(to);
    result.set(
      to,
      before === undefined ? value : aggregator === "sum" ? before + value : Math.max(before, value),
    );
  }
  // Of nothing the sum is 0, wherever a cell must be.
  return result.size === 0 ? absent(rest) : { dimensions: rest, cells: result };
}

/** A tensor with a dimension called as another. */
export function renamed({ dimensions, cells }: Cells, from: Dimension, to: Dimension): Cells {
  const after = union(without(dimensions, [from]), [to]);
  const entries = [...cells].map(([key, value]): [string, number] => {
    const address = addressOf(key, dimensions);
    return [keyOf(address.set(to, address.get(from) ?? ""), after), value];
  });
  return { dimensions: after, cells: new Map(entries) };
}

/** How a tensor is written: as a literal with or without its type, in JSON as cells, as blocks or values, or in short. */
export const form = fc.constantFrom("cells", "typed cells", "short", "literal");
export type Form = "cells" | "typed cells" | "short" | "literal";

export const typeOf = (dimensions: readonly Dimension[], cellType: string): string =>
  dimensions.length === 0 ? "double" : `tensor<${cellType}>(${dimensions.map(written).join(",")})`;

/** `{{m:a,x:0}:1}` */
export const literal = ({ dimensions, cells }: Cells): string =>
  dimensions.length === 0
    ? `${cells.get("") ?? 0}`
    : `{${[...cells].map(([key, value]) => `${addressText(key, dimensions)}:${value}`).join(",")}}`;
const addressText = (key: string, dimensions: readonly Dimension[]): string =>
  `{${[...addressOf(key, dimensions)].map(([dimension, label]) => `${dimension}:${label}`).join(",")}}`;

/** A tensor in JSON. */
export function json(value: Cells, form: Form, type: string): unknown {
  const { dimensions, cells } = value;
  if (dimensions.length === 0) return cells.get("") ?? 0;
  const all = [...cells].map(([key, each]) => ({
    address: Object.fromEntries(addressOf(key, dimensions)),
    value: each,
  }));
  const short = (): unknown => {
    const mapped = dimensions.filter(isMapped);
    if (mapped.length === 0) return [...cells.values()];
    if (mapped.length === dimensions.length) return Object.fromEntries(cells);
    const blocks: Record<string, number[]> = {};
    for (const [key, each] of cells) (blocks[key.split(",")[0] ?? ""] ??= []).push(each);
    return blocks;
  };
  switch (form) {
    case "cells":
      return { cells: all };
    case "typed cells":
      return { type, cells: all };
    case "short":
      return short();
    case "literal":
      return literal(value);
  }
}
