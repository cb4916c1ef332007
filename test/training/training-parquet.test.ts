import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Bytes } from "../../src/formats/bytes.js";
import { gunzipped } from "../../src/formats/parquet/gzip.js";
import { Decompress, Inflate } from "../../src/formats/parquet/library.js";
import { readRuns } from "../../src/formats/parquet/runs.js";
import { unpackedFrame } from "../../src/formats/parquet/zstandard.js";
import { type Problem, parseType, SphexError, type Tensor } from "../../src/index.js";
import { readTrainingParquet, type TrainingFileOptions } from "../../src/models.js";
import { holds } from "../chance.js";
import { command } from "../command.js";
import { temporaryFolder } from "../folder.js";
import { engine, hasDuckDb } from "../sql/duckdb.js";

/** Tables of training in Parquet, by other writers: pyarrow, whose files are in `parquet/`, and DuckDB. */

const inputs = (types: Readonly<Record<string, string>>) =>
  new Map(Object.entries(types).map(([name, type]) => [name, parseType(type)] as const));

const texts = (tensors: Readonly<Record<string, Tensor>>) =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, `${tensor}`]));

const fileOf = (name: string): Uint8Array =>
  readFileSync(new URL(`../formats/parquet/${name}`, import.meta.url));

const row = "tensor(row[])";

describe("pyarrow", () => {
  const pages = [
    "1-snappy",
    "2-snappy",
    "2-none",
    "1-gzip",
    "2-gzip",
    "1-zstd",
    "2-zstd",
    "1-deltas",
    "2-deltas",
  ].map((each) => `pages-${each}`);

  test.each(pages)("%s: numbers, truth values and labels", async (name) => {
    const types = inputs({
      y: row,
      x: "tensor(row[],z[2])",
      k: "tensor(k{},row[])",
      is_new: row,
      other: row,
    });
    expect(texts(await readTrainingParquet(fileOf(`${name}.parquet`), types))).toEqual({
      y: "tensor(row[5]):[0.5, -1.0, 2.0, 3.5, 1.0E10]",
      x: "tensor(row[5],z[2]):[[7.0, 9.007199254740991E15], [7.0, -1.0], [7.0, 0.0], [1.0, 1.0], [2.0, 2.0]]",
      k: "tensor(k{},row[5]):{ann:[1.0, 0.0, 1.0, 1.0, 0.0], bob:[0.0, 1.0, 0.0, 0.0, 0.0], 'čeněk':[0.0, 0.0, 0.0, 0.0, 1.0]}",
      is_new: "tensor(row[5]):[1.0, 0.0, 0.0, 1.0, 1.0]",
    });
  });

  test.each(pages)("%s: rows without a number are told", async (name) => {
    const problems = await problemsIn(fileOf(`${name}.parquet`), { gap: row });
    expect(problems).toEqual([
      "f.parquet: there must be a number for gap in row 1, found nothing",
      "f.parquet: there must be a number for gap in row 4, found nothing",
    ]);
  });

  // biome-ignore format: a table
  test.each(["decimals-bytes", "decimals-whole", "decimals-deltas", "decimals-split"])("%s: each is the number that is nearest to it", async (name) => {
    const types = inputs({ short: row, middle: row, long: row });
    const { short, middle, long } = await readTrainingParquet(fileOf(`${name}.parquet`), types);
    expect(short?.data).toEqual(Float64Array.of(4959.44, -6257.48, 0.01));
    expect(middle?.data).toEqual(Float64Array.of(-284.37, 90071992547409.94, 0.001));
    expect(long?.data).toEqual(Float64Array.of(0.3, -1234567890123.4568, 1e-25));
  });

  test("a text is no number, and another codec is refused", async () => {
    const file = fileOf("pages-1-snappy.parquet");
    expect((await problemsIn(file, { k: row }))[1]).toBe(
      'f.parquet: there must be a number for k in row 1, found "bob"',
    );
    expect(await problemsIn(fileOf("pages-1-brotli.parquet"), { y: row })).toEqual([
      "f.parquet: there must be pages that are not compressed, or compressed by Snappy, gzip or Zstandard, found the codec BROTLI",
    ]);
  });
});

const limitCases: readonly { limits: TrainingFileOptions["limits"]; code: string }[] = [
  { limits: { bytes: 5_000 }, code: "limit/bytes" },
  { limits: { cells: 99_999 }, code: "bytes/shape" },
];

describe.runIf(hasDuckDb)("DuckDB", () => {
  const folder = temporaryFolder();
  const write = async (name: string, select: string, codec = "snappy"): Promise<Uint8Array> => {
    const connection = await engine.connect();
    const path = join(folder, name);
    await connection.query(`copy (${select}) to '${path}' (format parquet, compression ${codec})`);
    await connection.close();
    return readFileSync(path);
  };

  // biome-ignore format: a table
  test.each(["snappy", "uncompressed", "gzip", "zstd"])("%s: as many row groups and pages as there are", async (codec) => {
    const select =
      "select i / 4 as y, 'u' || (i % 3) as k, (i % 7)::decimal(9, 2) / 10 as part from range(300000) t(i)";
    const types = inputs({ y: row, k: "tensor(k{},row[])", part: row });
    const { y, k, part } = await readTrainingParquet(await write("many.parquet", select, codec), types);
    const wrong = Array.from({ length: 300_000 }, (_, at) => at).filter((at) => {
      const ones = k?.labels.filter((_, label) => k.at(label * 300_000 + at) === 1) ?? [];
      const isPart = part?.at(at) === (at % 7) / 10;
      return y?.at(at) !== at / 4 || !isPart || `${ones}` !== `u${at % 3}`;
    });
    expect(wrong).toEqual([]);
  });

  test("about no input is refused", async () => {
    const bytes = await write("other.parquet", "select 1.0 as z");
    const problems = await problemsOf(readTrainingParquet(bytes, inputs({ y: row })));
    expect(problems.map(({ message, description }) => [message, description.found])).toEqual([
      ["at byte 0 there must be a column of an input, such as y", '"z"'],
    ]);
  });

  test.each(limitCases)("$code is told before the pages are unpacked", async ({ limits, code }) => {
    const bytes = await write("same.parquet", "select 1.0 as y from range(100000)");
    expect(bytes.length).toBeLessThan(5_000);
    const options = limits === undefined ? {} : { limits };
    const problems = await problemsOf(readTrainingParquet(bytes, inputs({ y: row }), options));
    expect(problems.map((each) => each.code)).toEqual([code]);
  });

  test("labels that are whole numbers have all of their digits, or are none", async () => {
    const k = "tensor(k{},row[])";
    const labels = async (value: string): Promise<unknown> => {
      const bytes = await write("labels.parquet", `select ${value} as k`);
      return (await readTrainingParquet(bytes, inputs({ k }))).k?.labels.flat();
    };
    expect(await labels("9007199254740993::bigint")).toEqual(["9007199254740993"]);
    expect(await labels("18446744073709551615::ubigint")).toEqual(["18446744073709551615"]);
    expect(await labels("9007199254740993::decimal(18, 0)")).toEqual(["9007199254740993"]);
    expect(await labels("12345678901234567890123456789012345678::decimal(38, 0)")).toEqual([
      "12345678901234567890123456789012345678",
    ]);
    expect(await labels("90071992547409930::decimal(20, 2)")).toEqual(["90071992547409930"]);
    expect(await labels("9007199254740991::double")).toEqual(["9007199254740991"]);
    for (const value of ["9007199254740992::double", "1.5::double", "90071992547409930.5::decimal(20, 2)"])
      await expect(labels(value)).rejects.toThrow(/a label for k in row 0/);
  });

  test("numbers without signs are themselves in pages of the second version", async () => {
    const path = join(folder, "unsigned.parquet");
    const connection = await engine.connect();
    const select = "select unnest([4294967295, 5, 2147483648]::uinteger[]) as y";
    await connection.query(`copy (${select}) to '${path}' (format parquet, parquet_version v2)`);
    await connection.close();
    const types = inputs({ y: row, k: "tensor(k{},row[])" });
    const { y } = await readTrainingParquet(readFileSync(path), types);
    expect(y?.data).toEqual(Float64Array.of(4294967295, 5, 2147483648));
  });

  test("numbers become cells of the declared type", async () => {
    const bytes = await write("cells.parquet", "select 1.5::double as y, 'a' as k");
    const { y } = await readTrainingParquet(bytes, inputs({ y: "tensor<float>(row[])" }));
    expect(`${y}`).toBe("tensor<float>(row[1]):[1.5]");
  });

  test("a text that is not UTF-8 is refused", async () => {
    const bytes = await write("text.parquet", "select 'caf#' as k", "uncompressed");
    const latin = bytes.map((byte) => (byte === 0x23 ? 0xe9 : byte));
    expect(await problemsIn(bytes, { k: "tensor(k{},row[])" })).toEqual([]);
    expect(`${await problemsIn(latin, { k: "tensor(k{},row[])" })}`).toMatch(/UTF-8/);
  });

  test("lists and structures are no columns of numbers", async () => {
    const bytes = await write("lists.parquet", "select [i] as y, {a: i} as x from range(3) t(i)");
    for (const name of ["y", "x"])
      expect(await problemsIn(bytes, { [name]: row })).toEqual([
        `f.parquet: there must be ${name} with one value in each row, found lists or structures`,
      ]);
  });

  test("the command learns from it, and says which file is none", async () => {
    const { folder: own, run } = command();
    writeFileSync(join(own, "line.sphex"), line);
    writeFileSync(
      join(own, "line.parquet"),
      await write("line.parquet", "select i * 3.0 as y, i as x from range(1, 3) t(i)"),
    );
    writeFileSync(join(own, "none.parquet"), "y,x\n3,1\n");
    const train = (...data: string[]) =>
      run(["train", "line.sphex", ...data, "--optimiser", "sgd", "--rate", "0.1", "--epochs", "2"]);
    expect((await train("--data", "line.parquet", "--validation", "line.parquet")).out).toContain(
      "epoch 1, step 1: 22.5000, validation 5.62500\nepoch 2, step 2: 5.62500",
    );
    const refused = await train("--data", "none.parquet");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("none.parquet");
    expect(refused.err).toContain("PAR1");
    expect((await train("--data", "absent.parquet")).err).toContain("absent.parquet: there is no such file");
  });
});

const line = `input x: tensor(row[])
input y: tensor(row[])
variable w = 0
loss = avg((w * x - y)^2)
minimise loss`;

describe("gzip", () => {
  const content = Uint8Array.from({ length: 200_000 }, (_, at) => (at * at) % 251);
  const unpacked = (packed: Uint8Array, size: number): Uint8Array =>
    gunzipped(new Bytes({ name: "page", bytes: packed }), size, Inflate, () => {
      throw new Error("damaged");
    });
  const changed = (packed: Uint8Array, at: number, byte: number): Uint8Array => {
    const copy = packed.slice();
    copy[at < 0 ? copy.length + at : at] = byte;
    return copy;
  };

  test("what another program packed is unpacked, with a header of any kind", () => {
    const packed = gzipSync(content);
    expect(unpacked(packed, content.length)).toEqual(content);
    const notes = [...Buffer.from("\x05\x00notes" + "name\0" + "comment\0", "latin1")];
    const header = changed(packed.subarray(0, 10), 3, 4 + 8 + 16);
    const noted = Uint8Array.from([...header, ...notes, ...packed.subarray(10)]);
    expect(unpacked(noted, content.length)).toEqual(content);
    expect(gunzipSync(noted)).toEqual(Buffer.from(content));
  });

  test.each([
    ["another size", (packed: Uint8Array) => packed, content.length + 1],
    ["fewer bytes than there are", (packed: Uint8Array) => packed, 100],
    ["another sign", (packed: Uint8Array) => changed(packed, 0, 0), content.length],
    ["another method", (packed: Uint8Array) => changed(packed, 2, 7), content.length],
    ["another checksum", (packed: Uint8Array) => changed(packed, -8, 0), content.length],
    ["another count", (packed: Uint8Array) => changed(packed, -1, 9), content.length],
    [
      "an end that is missing",
      (packed: Uint8Array) => packed.subarray(0, packed.length - 20),
      content.length,
    ],
    ["more than the bytes can make", (packed: Uint8Array) => packed.subarray(0, 30), 1_000_000_000],
  ] as const)("%s is found out", (_, change, size) => {
    expect(() => unpacked(change(gzipSync(content)), size)).toThrow("damaged");
  });
});

describe("Zstandard", () => {
  const sign = [0x28, 0xb5, 0x2f, 0xfd];
  /** The last block, of bytes as they are, or of one byte so often. */
  const plain = (...bytes: readonly number[]) => [(bytes.length << 3) | 1, bytes.length >> 5, 0, ...bytes];
  const repeated = (byte: number, count: number) => [
    ((count << 3) & 255) | 3,
    (count >> 5) & 255,
    count >> 13,
    byte,
  ];
  const unpacked = (
    frame: readonly number[],
    size: number,
    store: (bytes: number) => void = () => undefined,
  ) =>
    unpackedFrame(new Bytes({ name: "page", bytes: Uint8Array.from(frame) }), size, {
      ...{ Decompress, store },
      damaged: () => {
        throw new SphexError([]);
      },
    });
  /** A header that says how many bytes there are, and one that says how far one looks back: 1 KiB for 0, twice as far for each 8 more. */
  const sized = (size: number) => [...sign, 32, size];
  const open = (window: number) => [...sign, 0, window];

  test("a frame says how many bytes it has, or not", () => {
    expect(unpacked([...sized(3), ...plain(7, 8, 9)], 3)).toEqual(Uint8Array.of(7, 8, 9));
    expect(unpacked([...open(0), ...plain(7, 8, 9)], 3)).toEqual(Uint8Array.of(7, 8, 9));
    expect(unpacked([...open(56), ...repeated(5, 40_000)], 40_000)).toEqual(new Uint8Array(40_000).fill(5));
    const checked = [...sign, 36, 2, ...plain(1, 2), 0, 0, 0, 0];
    expect(unpacked(checked, 2)).toEqual(Uint8Array.of(1, 2));
  });

  // biome-ignore format: a table
  test.each([
    { what: "another sign",            frame: [1, ...sized(3).slice(1), ...plain(7, 8, 9)], size: 3 },
    { what: "another size",            frame: [...sized(3), ...plain(7, 8, 9)],             size: 4 },
    { what: "fewer bytes",             frame: [...open(0), ...plain(7, 8, 9)],              size: 4 },
    { what: "more bytes",              frame: [...open(0), ...plain(7, 8, 9)],              size: 2 },
    { what: "far more bytes",          frame: [...open(56), ...repeated(5, 100_000)],       size: 2 },
    { what: "a dictionary",            frame: [...sign, 33, 0, 3, ...plain(7, 8, 9)],       size: 3 },
    { what: "a block that ends early", frame: [...sized(3), ...plain(7, 8, 9).slice(0, 5)], size: 3 },
    { what: "another frame behind it", frame: [...sized(3), ...plain(7, 8, 9), ...sized(0), ...plain()], size: 3 },
  ])("$what is found out", ({ frame, size }) => {
    expect(() => unpacked(frame, size)).toThrow(SphexError);
  });

  test("what it looks back at counts as memory before it is there", () => {
    const counted: number[] = [];
    const refused = () =>
      unpacked([...open(20 * 8), ...plain(1)], 1, (bytes) => {
        counted.push(bytes);
        throw new SphexError([]);
      });
    expect(refused).toThrow(SphexError);
    expect(counted).toEqual([2 ** 30]);
  });
});

describe("a damaged file", () => {
  const files = ["pages-1-snappy", "pages-2-none", "pages-2-gzip", "pages-1-zstd"].map((name) =>
    fileOf(`${name}.parquet`),
  );
  const types = inputs({ y: row, x: "tensor(row[],z[2])", k: "tensor(k{},row[])", is_new: row });
  const outcome = (bytes: Uint8Array) =>
    readTrainingParquet(bytes, types).then(
      () => "read",
      (error) => (error instanceof SphexError ? "refused" : `${error}`),
    );

  test("is read or refused, whatever its bytes are", async () => {
    const change = fc.tuple(fc.nat(2000), fc.nat(255));
    const law = fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (file, changes) => {
        const bytes = Uint8Array.from(file);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        expect(["read", "refused"]).toContain(await outcome(bytes));
      },
    );
    await holds(law, 400);
  });

  test("is refused where it ends early or is empty", async () => {
    for (const length of [0, 3, 8, 12, 500])
      expect(await outcome((files[0] ?? new Uint8Array()).subarray(0, length))).toBe("refused");
  });

  test("has no run longer than its values, and no lists longer than its bytes", async () => {
    const run = Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0x0f, 1);
    expect([...readRuns(new Bytes({ name: "run", bytes: run }), 1, 3)]).toEqual([1, 1, 1]);
    // A footer whose first field is a list of 2³¹ numbers.
    const footer = [0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x07];
    const sign = [...new TextEncoder().encode("PAR1")];
    const bytes = Uint8Array.of(...sign, ...footer, footer.length, 0, 0, 0, ...sign);
    expect(await problemsIn(bytes, { y: row })).toEqual([
      "f.parquet: there must be a Parquet header, found 2147483647",
    ]);
  });
});

/** What is wrong, without the byte. */
async function problemsIn(bytes: Uint8Array, types: Readonly<Record<string, string>>): Promise<string[]> {
  const problems = await problemsOf(readTrainingParquet(bytes, inputs(types), { name: "f.parquet" }));
  return problems.map(({ span, description: { message, found } }) => {
    return `${span.source.name}: ${message.replace(/^at byte \d+ /, "")}, found ${found}`;
  });
}

async function problemsOf(reading: Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await reading;
    return [];
  } catch (error) {
    if (error instanceof SphexError) return error.problems;
    throw error;
  }
}
