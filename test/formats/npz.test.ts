import fc from "fast-check";
import { unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readNpz, writeNpz } from "../../src/formats/numpy/npz.js";
import { parseTensor } from "../../src/program/inputs/inputs.js";
import { parseType } from "../../src/program/options.js";
import { tensors } from "../arbitraries.js";
import { holds } from "../chance.js";
import { header, npy, one, told, two, unpacked } from "./npy-bytes.js";

/** NumPy's archives of arrays: zip files put together by hand and by a library, and hostile ones. */

// biome-ignore format: a table
test.each([
  ["tensor<long>(k{})",      npy(header("<i8", "()"), "0100000000002000"),                       npy(header("<i8", "()"), "FFFFFFFFFFFFFF7F")],
  ["tensor<long>(k{},x[1])", npy(header("<i8", "(1,)"), "0100000000002000"),                     npy(header(">i8", "(1,)"), "7FFFFFFFFFFFFFFF")],
])("whole numbers of 64 bits in an archive stay what they are as cells of %s", async (type, a, b) => {
  const { tree } = await unpacked(zipSync({ "b.npy": b, "a.npy": a }), { type: parseType(type) });
  expect(tree?.data).toEqual(BigInt64Array.of(2n ** 53n + 1n, 2n ** 63n - 1n));
  if (tree === undefined) return;
  const { tree: again } = await unpacked(await writeNpz(tree), { type: parseType(type) });
  expect(again?.data).toEqual(tree.data);
});

test("a sparse tensor is arrays of its cell type in an archive", async () => {
  const files = unzipSync(await writeNpz(parseTensor("tensor<float>(k{}):{a:1,b:2}")));
  expect(Object.keys(files)).toEqual(["a.npy", "b.npy"]);
  expect(files["a.npy"]).toEqual(new Uint8Array(npy(header("<f4", "()"), "0000803F")));
});

describe("archives", () => {
  test("have one array, or a named one, or one for each label", async () => {
    const archive = zipSync({ "a.npy": one, "b/c.npy": two, "notes.txt": Uint8Array.of(1) });
    expect(`${(await unpacked(zipSync({ "any.npy": [one, { level: 0 }] }))).tree}`).toBe(
      "tensor<int8>(d0[2]):[1, 2]",
    );
    expect(`${(await unpacked(archive, { array: "b/c" })).tree}`).toBe("tensor<int8>(d0[2]):[3, 4]");
    const type = parseType("tensor<float>(k{},x[2])");
    expect(`${(await unpacked(archive, { type })).tree}`).toBe(
      "tensor<float>(k{},x[2]):{a:[1.0, 2.0], 'b/c':[3.0, 4.0]}",
    );
    expect((await unpacked(archive)).problems.map(({ description }) => description)).toMatchObject([
      { message: "this archive has several arrays", hint: "name one of a, b/c" },
    ]);
    expect((await unpacked(archive, { array: "x" })).problems.map(told)).toEqual([
      ["this archive has no array x", "no array x"],
    ]);
    expect((await unpacked(zipSync({}))).problems.map(told)).toEqual([
      ["this archive has no array", "no array"],
    ]);
  });

  test("say all that is wrong with their arrays", async () => {
    const archive = zipSync({
      "a.npy": one,
      "b.npy": npy(header("|i1", "(3,)"), "01 02 03"),
      "c.npy": Uint8Array.of(1),
    });
    const { problems } = await unpacked(archive, { type: parseType("tensor(k{},x[2])") });
    expect(problems.map(({ span, message }) => [span.source.name, message])).toEqual([
      ["a.npz b", "at byte 60 there must be the shape (2,), as the axes are x of tensor(x[2])"],
      ["a.npz c", "at byte 0 there must be the signature of .npy"],
    ]);
  });

  test("of open dimensions have the sizes of the first", async () => {
    const two = npy(header("|i1", "(2,)"), "01 02");
    const three = npy(header("|i1", "(3,)"), "03 04 05");
    const type = parseType("tensor(k{},x[])");
    const fitting = await unpacked(zipSync({ "b.npy": two, "a.npy": two }), { type });
    expect(`${fitting.tree}`).toBe(
      "tensor(k{},x[]):{{k:a,x:0}:1.0, {k:a,x:1}:2.0, {k:b,x:0}:1.0, {k:b,x:1}:2.0}",
    );
    const { problems } = await unpacked(zipSync({ "a.npy": two, "b.npy": three }), { type });
    expect(problems.map(told)).toEqual([
      ["at byte 60 there must be the shape (2,), as the axes are x of tensor(x[])", "(3,)"],
    ]);
    const none = await unpacked(await writeNpz(parseTensor("tensor(k{},x[]):{}")), { type });
    expect(`${none.tree}`).toBe("tensor(k{},x[]):{}");
  });

  const sizeAt = (bytes: Uint8Array): number =>
    Buffer.from(bytes).lastIndexOf("PK\x01\x02", undefined, "latin1") + 24;
  const claim = (bytes: Uint8Array, size: number): Uint8Array => {
    const copy = bytes.slice();
    new DataView(copy.buffer).setUint32(sizeAt(copy), size, true);
    return copy;
  };

  test("that are no archives are refused, with the byte", async () => {
    const good = zipSync({ "a.npy": one });
    const broken = good.slice();
    broken[40] = (broken[40] ?? 0) ^ 0xff;
    const cases: [Uint8Array, RegExp][] = [
      [Uint8Array.of(), /^at byte 0 there must be a zip archive$/],
      [one, /^at byte 0 there must be a zip archive$/],
      [good.slice(0, -30), /^at byte 0 there must be a zip archive$/],
      [broken, /^at byte 0 there must be /],
      [claim(good, 129), /^at byte 0 there must be a.npy of 129 bytes$/],
      [claim(good, 131), /^at byte 0 there must be a.npy as its size and checksum say$/],
      [claim(good, 0x7fffffff), /^at byte \d+ there must be at most 400000000 bytes unpacked$/],
    ];
    for (const [bytes, message] of cases) {
      const { tree, problems } = await unpacked(bytes);
      expect(tree).toBeUndefined();
      expect(problems.map((each) => each.message)).toEqual([expect.stringMatching(message)]);
    }
  });

  test("that would grow without end are refused before they do", async () => {
    const bomb = zipSync({ "a.npy": [new Uint8Array(5_000_000), { level: 9 }] });
    expect(bomb.length).toBeLessThan(100_000);
    expect((await unpacked(bomb, { most: 1_000_000 })).problems.map(told)).toEqual([
      [expect.stringContaining("at most 1000000 bytes unpacked"), "5000000 bytes unpacked"],
    ]);
    // One that says it is small.
    expect((await unpacked(claim(bomb, 100), { most: 1_000_000 })).problems.map(told)).toEqual([
      ["at byte 0 there must be a.npy of 100 bytes", "more bytes"],
    ]);
    // One file that the directory lists a thousand times under different names.
    const single = zipSync({ "0000.npy": [new Uint8Array(100_000), { level: 9 }] });
    const directoryAt = sizeAt(single) - 24;
    const entry = Buffer.from(single.slice(directoryAt, single.length - 22));
    const entries = Array.from({ length: 1000 }, (_, at) => {
      const copy = Buffer.from(entry);
      copy.write(`${at}`.padStart(4, "0"), 46);
      return copy;
    });
    const end = Buffer.from(single.slice(-22));
    end.writeUInt16LE(1000, 8);
    end.writeUInt16LE(1000, 10);
    const overlapping = Buffer.concat([single.slice(0, directoryAt), ...entries, end]);
    const { problems } = await unpacked(overlapping);
    expect(problems.map(({ description }) => description.found)).toEqual(["files that share bytes"]);
  });

  test("are written so that they are read back", async () => {
    await holds(
      fc.asyncProperty(tensors(), async (tensor) => {
        const { type } = tensor;
        fc.pre(type.mapped.length < 2 && type.names.every((name) => /^\w+$/.test(name)));
        fc.pre(!tensor.labels.flat().some((label) => /\p{Cs}|\0/u.test(label)));
        const { tree, problems } = await unpacked(await writeNpz(tensor), { type });
        expect(problems.map(told)).toEqual([]);
        expect(tree?.equals(tensor)).toBe(true);
      }),
      300,
    );
    await expect(writeNpz(parseTensor("tensor(j{},k{}):{}"))).rejects.toThrow("npz cannot hold");
    const labels = Array.from({ length: 65_535 }, (_, at) => `a${at}:1`);
    await expect(writeNpz(parseTensor(`tensor(k{}):{${labels}}`))).rejects.toThrow("npz cannot hold");
    const long = parseTensor(`tensor(k{}):{${"é".repeat(33_000)}x:1}`);
    await expect(writeNpz(long)).rejects.toThrow("npz cannot hold");
    const ended = parseTensor(`tensor(k{}):{'a\\u0000b':1}`);
    await expect(writeNpz(ended)).rejects.toThrow("npz cannot hold");
  });
});

test("an archive with more files than its directory counts is refused", async () => {
  const bytes = await writeNpz(parseTensor("tensor(k{}):{a:1,b:2,c:3}"));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint16(bytes.length - 12, 2, true);
  const { problems } = await readNpz({ name: "file", bytes }, { type: parseType("tensor(k{})") });
  expect(problems.map(({ code }) => code)).toEqual(["bytes/shape"]);
});
