import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compile,
  compileAsync,
  compileExpression,
  evaluate,
  type InputValue,
  type NumberArray,
  parseTensor,
  parseType,
  readNpz,
  readTensor,
  Tensor,
  writeNpzOf,
  writeTensor,
} from "../../src/index.js";
import { onEngine } from "../../src/sql.js";
import { holds } from "../chance.js";
import { command } from "../command.js";
import { engine, hasDuckDb } from "../sql/duckdb.js";
import {
  addresses,
  arrayAxes,
  blocksJson,
  canonical,
  cellAt,
  cellsJson,
  cellsOf,
  flat,
  flatJsonByLabel,
  isDense,
  labelLevels,
  nested,
  npy,
  type PlainNested,
  readNpy,
  typeText,
  valuesJson,
  vespaFlat,
  type Written,
  written,
} from "./written-order.js";

/**
 * No silent transposition: a tensor comes into a program by every way as the cells that the rule of axes makes of it, and goes
 * out by every way as such. Types are by chance, declared in orders by chance, their sizes mostly equal; what is expected comes
 * of plain code (written-order.ts).
 */

/** That a tensor is what was written. */
function expectWritten(tensor: Tensor, each: Written, way: string): void {
  const cells = cellsOf(each);
  const found = cells.map(({ address }) => ({ address, value: tensor.get(address) }));
  expect(found, `${way} of ${typeText(each)}`).toEqual(cells);
  expect(tensor.data.length, way).toBe(cells.length);
}

const arrays = {
  double: Float64Array,
  float: Float32Array,
  int8: Int8Array,
  short: Int16Array,
  int: Int32Array,
} as const;

/** Numbers in the class of array that the cell type has. */
function typed({ cellType }: Written, numbers: readonly number[]): NumberArray {
  if (cellType === "long") return BigInt64Array.from(numbers, BigInt);
  return Object.hasOwn(arrays, cellType)
    ? arrays[cellType as keyof typeof arrays].from(numbers)
    : Float64Array.from(numbers);
}

/** Nested data with each object as a map, and each innermost array as a typed one. */
function asHosts(each: Written, value: PlainNested): unknown {
  if (typeof value === "number") return value;
  if (!Array.isArray(value))
    return new Map(Object.entries(value).map(([label, inner]) => [label, asHosts(each, inner)]));
  return value.every((inner) => typeof inner === "number")
    ? typed(each, value)
    : value.map((inner) => asHosts(each, inner));
}

/** The literal without a type: a level of braces for each mapped dimension, then arrays. */
const literal = (value: PlainNested): string => {
  if (typeof value === "number") return `${value}`;
  if (Array.isArray(value)) return `[${value.map(literal).join(",")}]`;
  return `{${Object.entries(value)
    .map(([label, inner]) => `${label}:${literal(inner)}`)
    .join(",")}}`;
};

const strided = (each: Written): InputValue => {
  const axes = arrayAxes(each);
  const reversed = { ...each, dimensions: [...each.dimensions].reverse() };
  // Column-major: the first axis is the fastest.
  const strides = axes.map((_, at) =>
    axes.slice(0, at).reduce((product, { labels }) => product * labels.length, 1),
  );
  const data = addresses(arrayAxes(reversed)).map((address) => cellAt(each, address));
  return { data: typed(each, data), shape: axes.map(({ labels }) => labels.length), strides } as InputValue;
};

const column = (numbers: NumberArray): InputValue =>
  ({ length: numbers.length, nullCount: 0, toArray: () => numbers }) as unknown as InputValue;

interface Form<Value extends InputValue = InputValue> {
  readonly name: string;
  readonly holds?: (each: Written) => boolean;
  readonly value: (each: Written) => Value;
}

const hasArrays = (each: Written): boolean => arrayAxes(each).length > 0;
const isMixed = (each: Written): boolean => labelLevels(each).length === 1 && hasArrays(each);

// biome-ignore format: a table
const texts: readonly Form<string>[] = [
  { name: "a literal",                value: (each) => `${typeText(each)}:${literal(nested(each))}` },
  { name: "a literal without a type", value: (each) => literal(nested(each)) },
  { name: "JSON of arrays",           value: (each) => JSON.stringify(nested(each)),   holds: isDense },
  { name: "flat JSON",                value: (each) => JSON.stringify(flat(each)),     holds: isDense },
  { name: "JSON of arrays by label",  value: (each) => JSON.stringify(nested(each)),   holds: isMixed },
  { name: "flat JSON by label",       value: flatJsonByLabel,                          holds: isMixed },
  { name: "JSON of cells",            value: cellsJson },
  { name: "JSON of listed cells",     value: (each) => JSON.stringify(cellsOf(each)) },
  { name: "JSON of values, Vespa's",  value: valuesJson,                               holds: isDense },
  { name: "JSON of blocks, Vespa's",  value: blocksJson,                               holds: isMixed },
];

// biome-ignore format: a table
const forms: readonly Form[] = [
  ...texts,
  { name: "nested data",              value: (each) => nested(each) as InputValue },
  { name: "maps and typed arrays",    value: (each) => asHosts(each, nested(each)) as InputValue },
  { name: "a typed array",            value: (each) => typed(each, flat(each)),                    holds: isDense },
  { name: "an array with strides",    value: strided,                                              holds: isDense },
  { name: "a column",                 value: (each) => column(typed(each, flat(each))),            holds: (each) => isDense(each) && each.dimensions.length === 1 },
  { name: "listed cells",             value: (each) => cellsOf(each) },
  { name: "a tensor",                 value: (each) => tensorOf(each) },
  { name: "plain data of a tensor",   value: (each) => structuredClone(tensorOf(each).toTransferable()) },
];

/** Made of nested data whose axes are named. */
function tensorOf(each: Written): Tensor {
  const axes = each.dimensions.map(({ name }) => name);
  return Tensor.from(parseType(typeText(each)), nested(each) as never, { axes });
}

/** Inputs of other values before, so that a run that repeats an earlier one is among them. */
const zeros = (each: Written): InputValue => tensorOf(each);

// biome-ignore format: a table
const ways: Readonly<Record<string, (type: string, w: InputValue, each: Written) => Tensor | Promise<Tensor>>> = {
  "run":                   (type, w) => compile(`input w: ${type}\nw`).run({ w }),
  "computed":              (type, w) => compile(`input w: ${type}\nw + 0`).run({ w }).as(parseType(type)),
  "run by the reference":  (type, w) => compile(`input w: ${type}\nw`, { backend: "reference" }).run({ w }),
  "run by closures":       (type, w) => compile(`input w: ${type}\nw`, { backend: "closures" }).run({ w }),
  "run again":             (type, w, each) => { const program = compile(`input w: ${type}\nw`); program.run({ w: zeros(each) }); return program.run({ w }); },
  "run once":              (type, w) => compile(`input w: ${type}\nw`).runOnce({ w }),
  "run asynchronously":    (type, w) => compile(`input w: ${type}\nw`).runAsync({ w }),
  "a named value":         (type, w) => compile(`input w: ${type}\na = w\n1`).runAll({ w }).value("a"),
  "prepared":              (type, w) => compile(`input w: ${type}\nw`).prepare().run({ w }),
  "prepared, again":       (type, w, each) => { const prepared = compile(`input w: ${type}\nw`).prepare(); prepared.run({ w: zeros(each) }); prepared.run({ w }); return prepared.run({ w }); },
  "prepared asynchronously": (type, w) => compile(`input w: ${type}\nw`).prepare().runAsync({ w }),
  "fixed":                 (type, w) => compile(`input w: ${type}\nw`).prepare({ w }).run(),
  "a session":             (type, w) => compile(`input w: ${type}\nw`).session().run({ w }),
  "a session, later":      (type, w) => compile(`input w: ${type}\nw`).session().runAsync({ w }),
  "assigned":              (type, w, each) => { const session = compile(`variable w: ${type} = file("w.txt")\nw`, { readFile: () => `${tensorOf(each)}` }).session(); session.assign({ w }); return session.run(); },
  "declared by the host":  (type, w) => compile("w", { inputs: { w: type } }).run({ w }),
  "an expression":         (type, w) => compileExpression("w", { inputs: { w: type } }).run({ w }),
  "evaluated":             (type, w) => evaluate("w", { w }, { inputs: { w: type } }),
  "returned by the host":  (type, w) => compile("w()", { functions: { w: { parameters: [], returns: type, call: () => w } } }).run(),
  "returned later":        (type, w) => compile("w()", { functions: { w: { parameters: [], returns: type, call: async () => w } } }).runAsync(),
};

test.each(Object.entries(ways))("into a program: %s", async (way, run) => {
  await holds(
    fc.asyncProperty(written, async (each) => {
      for (const form of forms) {
        if (form.holds?.(each) === false) continue;
        expectWritten(await run(typeText(each), form.value(each), each), each, `${way}, ${form.name}`);
      }
    }),
    40,
  );
});

interface FileForm {
  readonly path: string;
  readonly holds?: (each: Written) => boolean;
  readonly content: (each: Written) => string | Uint8Array | Promise<Uint8Array>;
}

/** A file that is no literal with a type is JSON: braces without quotes are refused. */
const isFileText = (form: Form, each: Written): boolean =>
  form.holds?.(each) !== false && (form.name !== "a literal without a type" || isDense(each));

/** Lines of cells, whose columns stand in the order of the declaration. */
const csv = (each: Written): string =>
  [
    [...each.dimensions.map(({ name }) => name), "value"],
    ...cellsOf(each).map(({ address, value }) => [
      ...each.dimensions.map(({ name }) => address[name]),
      value,
    ]),
  ]
    .map((line) => line.join(","))
    .join("\n");

/** An archive whose array is in the order of the declaration, under the name `w`. */
const npz = (each: Written): Promise<Uint8Array> => {
  const unnamed = `tensor(${arrayAxes(each)
    .map(({ labels }, at) => `d${at}[${labels.length}]`)
    .join(",")})`;
  return writeNpzOf(
    { w: Tensor.from(parseType(unnamed), Float64Array.from(flat(each))) },
    { isStored: true },
  );
};

// biome-ignore format: a table
const files: readonly FileForm[] = [
  ...["w.json", "w.txt"].flatMap((path) => texts.map((form): FileForm => ({ path, content: form.value, holds: (each) => isFileText(form, each) }))),
  { path: "w.csv", content: csv },
  { path: "w.npy", content: (each) => npy(each, false),                            holds: isDense },
  { path: "w.npy", content: (each) => npy(each, true),                             holds: isDense },
  { path: "w.npy", content: (each) => writeTensor(tensorOf(each), "npy", { axes: each.dimensions.map(({ name }) => name) }), holds: isDense },
  { path: "w.tbf", content: (each) => writeTensor(tensorOf(each), "binary") },
  { path: "w.npz", content: npz,                                                   holds: isDense },
];

test("into a program: files that it names, and files that are read", async () => {
  await holds(
    fc.asyncProperty(written, async (each) => {
      for (const { path, content, holds: canHold } of files) {
        if (canHold?.(each) === false) continue;
        const data = await content(each);
        const type = typeText(each);
        const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
        const name = path === "w.npz" ? `file("${path}").w` : `file("${path}")`;
        const text = `constant w: ${type} = ${name}\nw`;
        expectWritten(compile(text, { readBytes: () => bytes }).run(), each, path);
        const later = await compileAsync(text, { readBytes: async () => bytes });
        expectWritten(later.run(), each, `${path}, later`);
        if (path === "w.npz") expectWritten(await readNpz(bytes, { type, array: "w" }), each, "readNpz");
        else if (path !== "w.txt" && path !== "w.json") {
          const format = path === "w.tbf" ? "binary" : path === "w.npy" ? "npy" : "csv";
          expectWritten(
            readTensor(typeof data === "string" ? data : bytes, format, { type }),
            each,
            `readTensor ${path}`,
          );
        } else if (path === "w.json" || !`${data}`.startsWith('{"')) {
          if (typeof data === "string") expectWritten(parseTensor(data, type), each, `parseTensor ${data}`);
        }
      }
    }),
    60,
  );
});

const { folder, run } = command();

test("into the command and the REPL", async () => {
  await holds(
    fc.asyncProperty(written, async (each) => {
      const type = typeText(each);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "p.sphex"), `input w: ${type}\nw\n`);
      const printed = async (
        way: string,
        args: readonly string[],
        stdin: readonly string[] = [],
      ): Promise<void> => {
        const { code, out, err } = await run(args, { stdin });
        expect(code, `${way}: ${err}`).toBe(0);
        const line = out.trim().split("\n").at(-1) ?? "";
        expectWritten(parseTensor(line), each, way);
      };
      for (const form of texts) {
        if (form.holds?.(each) === false) continue;
        const value = form.value(each);
        await printed(`--set, ${form.name}`, [
          "run",
          "p.sphex",
          "--format",
          "literal",
          "--set",
          `w=${value}`,
        ]);
        const isJson = form.name.includes("JSON");
        if (isJson) {
          writeFileSync(join(folder, "w.json"), value);
          await printed(`--set @w.json, ${form.name}`, [
            "run",
            "p.sphex",
            "--format",
            "literal",
            "--set",
            "w=@w.json",
          ]);
        }
        writeFileSync(join(folder, "inputs.json"), JSON.stringify({ w: isJson ? JSON.parse(value) : value }));
        await printed(`--inputs, ${form.name}`, [
          "run",
          "p.sphex",
          "--format",
          "literal",
          "--inputs",
          "inputs.json",
        ]);
        await printed(`the REPL, ${form.name}`, ["repl"], [`input w: ${type}\n.set w = ${value}\nw\n`]);
      }
      for (const path of ["w.csv", "w.npy", "w.tbf"] as const) {
        const file = files.find((form) => form.path === path);
        if (file === undefined || file.holds?.(each) === false) continue;
        writeFileSync(join(folder, path), await file.content(each));
        await printed(`--set @${path}`, ["run", "p.sphex", "--format", "literal", "--set", `w=@${path}`]);
      }
    }),
    8,
  );
});

test.skipIf(!hasDuckDb)("into a database: columns of arrays, and tensors", async () => {
  await holds(
    fc.asyncProperty(written.filter(hasArrays), async (each) => {
      const program = compile(`input w: ${typeText(each)}\nw`);
      for (const form of forms) {
        if (form.holds?.(each) === false) continue;
        const bound = program.on(onEngine(engine), { w: { tensor: form.value(each) } });
        expectWritten(await bound.run(), each, `bound, ${form.name}`);
      }
      const levels = labelLevels(each);
      const rows = addresses(levels).map((labels) => {
        const columns = levels.map(({ name }, at) => `'${labels[name]}' AS l${at}`);
        return `SELECT ${[...columns, `[${flat(each, labels).join(",")}] AS block`].join(", ")}`;
      });
      const dimensions = Object.fromEntries(levels.map(({ name }, at) => [name, `l${at}`]));
      for (const isTrusted of [false, true]) {
        const source = { query: rows.join(" UNION ALL ") };
        const bound = program.on(onEngine(engine), { w: { source, dimensions, block: "block", isTrusted } });
        expectWritten(await bound.run(), each, `a column of arrays, ${isTrusted ? "trusted" : "looked at"}`);
      }
    }),
    12,
  );
});

test("out of a program", () => {
  holds(
    fc.property(written, fc.constantFrom("engine", "reference"), (each, backend) => {
      const result = compile(`input w: ${typeText(each)}\nw * 1`, { backend }).run({
        w: nested(each) as InputValue,
      });
      const levels = labelLevels(each);
      const axes = arrayAxes(each).map(({ name }) => name);
      const all = [...levels.map(({ name }) => name), ...axes];
      expect(result.toNested(all)).toEqual(nested(each));
      expect(result.axes).toEqual([...axes].sort());
      // Rows of labels in their order, and in each of them the cells along `axes`.
      const sortedRows = addresses(
        canonical({ ...each, dimensions: levels }).dimensions.map((level) => ({
          ...level,
          labels: [...level.labels].sort(),
        })),
      );
      expect([...result.toArray(axes)].map(Number)).toEqual(
        sortedRows.flatMap((labels) => flat(each, labels)),
      );
      expect([...result.data].map(Number)).toEqual(sortedRows.flatMap((labels) => vespaFlat(each, labels)));
      expect([...result.cells()].map(({ address, value }) => [address, value])).toEqual(
        sortedRows.flatMap((labels) =>
          addresses(arrayAxes(canonical(each))).map((inner) => [
            { ...labels, ...inner },
            cellAt(each, { ...labels, ...inner }),
          ]),
        ),
      );
      // Of several dimensions with labels and others without, there is no shorter form than one for each cell.
      const form = levels.length > 1 && axes.length > 0 ? "direct-cells" : "direct";
      const direct = writeTensor(result, "json", { form, axes: all });
      expectWritten(readTensor(direct, "json", { type: typeText(each) }), each, "direct JSON, and back");
      if (levels.length > 0) return;
      const doubles = result.as(parseType(typeText({ ...each, cellType: "double" })));
      const file = readNpy(writeTensor(doubles, "npy", { axes }));
      expect(file).toEqual({ shape: arrayAxes(each).map(({ labels }) => labels.length), cells: flat(each) });
      const { values } = JSON.parse(writeTensor(result, "json", { form: "typed" })) as { values: unknown };
      expect([values].flat(9)).toEqual(vespaFlat(each));
    }),
    200,
  );
});
