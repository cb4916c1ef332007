import fc from "fast-check";
import type { CellType, Dimension } from "../src/index.js";
import { Tensor, TensorType } from "../src/index.js";

/** Random tensors of random types: what the laws are tried on. */

export const allCellTypes = ["double", "float", "bfloat16", "int8", "half", "short", "int", "long"] as const;

/** Names of dimensions; some are words of the language, or of JavaScript's objects. */
export const dimensionNames = [
  "x",
  "y",
  "k",
  "f",
  "in",
  "tensor",
  "sum",
  "__proto__",
  "constructor",
  "B",
  "a1",
  "1a",
  "_",
  "@q$",
];

/** Labels that text, objects or keys could take for something else. */
const labels = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("a", "b", "c", "foo_bar", "-1", "0", "1", "2", "10", "007", "1.5", "1e3"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        "",
        " ",
        "  two  words ",
        "🐝",
        "👩‍🔬",
        "é",
        "e\u0301",
        "\ud800",
        "\u2028",
        "\ufeff",
        "\0",
        "\u00a0",
      ],
      ...[
        "'",
        '"',
        "it's",
        `'"`,
        "\\",
        "\\n",
        "\n",
        "\r\n",
        "\t\f\v",
        `\\'"`,
        "a,b",
        "a:b",
        "{x:1}",
        "[",
        "]}",
        "#no",
        "//",
        "(",
        "$x",
      ],
      ...[
        "__proto__",
        "constructor",
        "toString",
        "length",
        "address",
        "NaN",
        "Infinity",
        "tensor",
        "true",
        "a\0b",
        "1:a1:b",
      ],
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
);

/** Numbers at which reading, writing and rounding change their ways. */
const corners = [
  ...[
    0,
    -0,
    1,
    -1,
    0.1,
    1 / 3,
    1e-3,
    9.99e-4,
    1e7,
    9999999,
    1e21,
    123456789012345680000,
    2 ** 53,
    -(2 ** 53),
  ],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MAX_VALUE, Number.MIN_VALUE],
  ...[2 ** -149, 2 ** -150, 1.1754942106924411e-38, 3.4028234663852886e38, 3.5e38, 16777217, 1 + 2 ** -24],
  ...[
    65504,
    65519,
    65520,
    2 ** -24,
    2 ** -25,
    6.1e-5,
    127.9,
    -128,
    128,
    255,
    32768,
    -32769,
    2147483648,
    -2147483649,
  ],
];

const anyNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(...corners),
  fc.double(),
  fc.float(),
  fc.integer({ min: -200, max: 200 }),
);

/** Numbers for cells of a type: a long holds whole numbers exactly within ±2^53. */
const numberOf = (cellType: CellType): fc.Arbitrary<number> =>
  cellType === "long" ? fc.maxSafeInteger() : anyNumber;

export const smallWhole: fc.Arbitrary<number> = fc.integer({ min: -3, max: 3 });

interface TensorConstraints {
  readonly cellTypes?: readonly CellType[];
  readonly names?: readonly string[];
  readonly least?: number;
  readonly most?: number;
  readonly unbound?: boolean;
  /** What cells are before they are stored. */
  readonly cells?: fc.Arbitrary<number>;
}

const kinds = ["mapped", "bound", "unbound"] as const;

/** Types of different dimensions, in any order. */
export function types({
  cellTypes = allCellTypes,
  names = dimensionNames,
  least = 0,
  most = 3,
  unbound = true,
}: TensorConstraints = {}) {
  const dimension = fc
    .record({
      name: fc.constantFrom(...names),
      kind: fc.constantFrom(...kinds.slice(0, unbound ? 3 : 2)),
      size: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ name, kind, size }): Dimension => {
      if (kind === "mapped") return { name, kind };
      return kind === "bound" ? { name, kind: "indexed", size } : { name, kind: "indexed" };
    });
  const dimensions = fc.uniqueArray(dimension, {
    minLength: least,
    maxLength: most,
    selector: ({ name }) => name,
  });
  return fc
    .record({ cellType: fc.constantFrom(...cellTypes), dimensions })
    .map(({ cellType, dimensions: all }) => TensorType.of(cellType, all));
}

/** Tensors of a type; unbound dimensions get a size, and rows may be missing, or all of them. */
export function tensorsOf(type: TensorType, cells = numberOf(type.cellType)): fc.Arbitrary<Tensor> {
  const sizes = fc.tuple(
    ...type.indexed.map(({ size }) =>
      size === undefined ? fc.integer({ min: 1, max: 3 }) : fc.constant(size),
    ),
  );
  const rows = type.isDense
    ? fc.constant<string[][]>([[]])
    : fc.uniqueArray(
        fc.tuple(...type.mapped.map(() => labels)).map((row): string[] => row),
        { maxLength: 4, selector: (row) => JSON.stringify(row) },
      );
  return fc.tuple(sizes, rows).chain(([lengths, labelRows]) => {
    const block = lengths.reduce((product, each) => product * each, 1);
    const count = block * labelRows.length;
    const numbers = fc.array(cells, { minLength: count, maxLength: count });
    return numbers.map((all) => tensorOf(type, lengths, labelRows, all));
  });
}

/** A tensor by its addresses, made through the front door. */
function tensorOf(
  type: TensorType,
  sizes: readonly number[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[],
): Tensor {
  if (type.isScalar) return Tensor.from(type, numbers[0] ?? 0);
  const block = sizes.reduce((product, each) => product * each, 1);
  const cells = numbers.map((value, at) => {
    const inRow = [...(rows[Math.floor(at / block)] ?? [])];
    let rest = at % block;
    const indexes = [...sizes].reverse().map((size) => {
      const index = rest % size;
      rest = Math.floor(rest / size);
      return index;
    });
    const entries = type.dimensions.map(({ name, kind }): [string, string | number] => [
      name,
      (kind === "mapped" ? inRow.shift() : indexes.pop()) ?? "",
    ]);
    return { address: Object.fromEntries(entries), value };
  });
  return Tensor.from(type, cells.length === 0 ? {} : cells);
}

/** Tensors of any type. */
export const tensors = (constraints: TensorConstraints = {}): fc.Arbitrary<Tensor> =>
  types(constraints).chain((type) => tensorsOf(type, constraints.cells ?? numberOf(type.cellType)));
