import { cellTypes, writeCell } from "../../../src/language/types/cell.js";
import { Tensor } from "../../../src/language/values/tensor.js";
import type { Input } from "../../hunt/builder.js";
import type { Choice } from "../../hunt/choice.js";
import type { Program } from "../../hunt/program.js";

/** The labels that most tensors of the hunt have. */
const plain = ["a", "b", "c", "0", "1", "2"];

/** Labels that are different, and that an engine, a file or a cast may take to be equal. */
const alike: readonly (readonly string[])[] = [
  ["é", "e\u0301", "É", "e"],
  ["a", "a ", "a  ", " a", "a\u00a0"],
  ["1", "01", "1.0", "+1", "1e0"],
  ["0", "-0", "00", "+0", "0x0"],
  ["1e3", "1000", "1_000", "1,000"],
  ["a", "A", "ａ", "à"],
  ["ß", "ss", "ẞ", "SS"],
  ["i", "I", "İ", "ı"],
  ["NULL", "null", "", "undefined"],
  ["true", "True", "t", "1"],
  ["2024-01-05", "2024-1-5", "2024-01-05 00:00:00"],
  ["nan", "NaN", "Infinity", "inf"],
  ["a/b", "a%2Fb", "a=b", "a+b", "*"],
  ["\n", "\r\n", "\t", ",", '"'],
  ["😀", "\ufffd", "\u200b", "\u200ba"],
  ["\ufeff", "\ufeffa", "\ufeff\ufeff", "a\ufeff", "\ufffe"],
  ["\u2028", "a\u2028b", "\u2029", "\u0085", "\v"],
  ["true", "false", "True", "1"],
  // As many as there are plain ones: columns may be of the types that show just these.
  ["-1", "127", "128", "-128", "255", "256"],
  ["2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "-2147483649"],
  [
    "9223372036854775807",
    "-9223372036854775808",
    "9007199254740993",
    "9007199254740992",
    "-9007199254740993",
    "18446744073709551615",
  ],
  ["0.25", "-0.25", "1.01", "10.01", "1234567.89", "-100.01"],
  ["0.5", "-0.5", "1.5", "10.5", "-1.5", "100000.5"],
  ["00:00:00", "23:59:59", "12:00:00", "00:00:01", "01:00:00", "10:10:10"],
  [
    "2024-01-05 00:00:00+00",
    "2024-01-05 23:59:59+00",
    "1970-01-01 00:00:00+00",
    "1969-12-31 23:59:59+00",
    "2024-07-01 02:30:00+00",
    "2000-02-29 12:00:00+00",
  ],
  [
    "2024-01-05 00:00:00.000001",
    "2024-01-05 23:59:59.999999",
    "1970-01-01 00:00:00.000001",
    "1969-12-31 23:59:59.999999",
    "2038-01-19 03:14:07.123456",
    "2000-02-29 12:00:00.100001",
  ],
  ["2024-01-05", "2024-02-29", "1970-01-01", "1999-12-31", "2038-01-19", "2000-01-01"],
  [
    "2024-01-05 00:00:00",
    "2024-01-05 23:59:59",
    "1970-01-01 00:00:00",
    "2038-01-19 03:14:08",
    "2024-07-01 02:30:00",
    "2000-02-29 12:00:00",
  ],
  [
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "6f9619ff-8b86-d011-b42d-00c04fc964ff",
    "80000000-0000-0000-0000-000000000000",
    "7fffffff-ffff-ffff-ffff-ffffffffffff",
    "00112233-4455-6677-8899-aabbccddeeff",
  ],
];

/** A program some of whose inputs have no rows. */
export function withoutRows(program: Program, choice: Choice): Program {
  return {
    ...program,
    inputs: program.inputs.map((input) => {
      const [{ type }] = input.values;
      if (type.mapped.length === 0 || !choice.percent(6)) return input;
      const none = Tensor.from(type, []);
      return { ...input, values: [none, none, none] };
    }),
  };
}

/** A program some of whose inputs have cells at the addresses of others, as if they were columns of one table. */
export function withSameRows(program: Program, choice: Choice): Program {
  if (!choice.percent(40)) return program;
  const inputs: Input[] = [];
  for (const input of program.inputs) {
    const alike = inputs.filter(({ type }) =>
      type.withCells("double").equals(input.type.withCells("double")),
    );
    const other = alike.length > 0 && !input.type.isScalar ? choice.oneOf(alike) : undefined;
    const [first, second, third] = input.values;
    const values = [first, second, third] as const;
    const placed = (at: 0 | 1 | 2): Tensor =>
      other === undefined ? values[at] : placedAs(values[at], other.values[at]);
    inputs.push({ ...input, values: [placed(0), placed(1), placed(2)] });
  }
  return { ...program, inputs };
}

/** The cells of a tensor, again and again, at the addresses of another one. */
function placedAs(tensor: Tensor, { sizes, labels, data }: Tensor): Tensor {
  const { cellType } = tensor.type;
  const cells = cellTypes[cellType].allocate(data.length);
  const count = tensor.data.length;
  for (let at = 0; at < data.length; at++)
    writeCell(cellType, cells, at, count === 0 ? at : tensor.at(at % count));
  return Tensor.of(tensor.type, sizes, labels, cells);
}

/** A program some of whose inputs have other labels: the same others in all of them, as if rows were of another table. */
export function withAwkwardLabels(program: Program, choice: Choice): Program {
  if (!choice.percent(40)) return program;
  const others = choice.shuffled([...new Set([...choice.oneOf(alike), ...plain])].slice(0, plain.length));
  const names = new Map(plain.map((label, at) => [label, others[at] ?? label]));
  const all = program.inputs.flatMap(({ values }) => values.flatMap(({ labels }) => labels.flat()));
  if (all.some((label) => !names.has(label) && others.includes(label))) return program;
  return {
    ...program,
    inputs: program.inputs.map(({ values: [first, second, third], ...input }) => ({
      ...input,
      values: [relabelled(first, names), relabelled(second, names), relabelled(third, names)],
    })),
  };
}

function relabelled(tensor: Tensor, names: ReadonlyMap<string, string>): Tensor {
  const { type, sizes, labels, blockCells } = tensor;
  if (type.isDense) return tensor;
  const rows = labels.map((row, at) => ({ row: row.map((label) => names.get(label) ?? label), at }));
  rows.sort((one, other) => byLabels(one.row, other.row));
  const cells = cellTypes[type.cellType].allocate(labels.length * blockCells);
  for (const [to, { at }] of rows.entries())
    for (let cell = 0; cell < blockCells; cell++)
      writeCell(type.cellType, cells, to * blockCells + cell, tensor.at(at * blockCells + cell));
  return Tensor.of(
    type,
    sizes,
    rows.map(({ row }) => row),
    cells,
  );
}

function byLabels(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((label, index) => label !== other[index]);
  return at < 0 ? 0 : `${one[at]}` < `${other[at]}` ? -1 : 1;
}
