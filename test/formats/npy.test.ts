import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readNpy, writeNpy } from "../../src/formats/numpy/npy.js";
import { writeNpz } from "../../src/formats/numpy/npz.js";
import { parseTensor } from "../../src/program/inputs/inputs.js";
import { parseType } from "../../src/program/options.js";
import { holds } from "../chance.js";
import { temporaryFolder } from "../folder.js";
import { header, npy, one, told, two, unpacked } from "./npy-bytes.js";

/** NumPy's files: bytes put together by hand from its format's description, NumPy itself where there is one, and hostile bytes. */

const reading = (bytes: Uint8Array, type?: string, axes?: string[]) =>
  readNpy({ name: "a.npy", bytes }, { type: type === undefined ? undefined : parseType(type), axes });
// biome-ignore format: a table
test.each<[string, Uint8Array, string | undefined, string]>([
  ["little-endian doubles",  npy(header("<f8", "(2,)"), "000000000000F03F 00000000000000C0"), undefined, "tensor(d0[2]):[1.0, -2.0]"],
  ["big-endian floats",      npy(header(">f4", "(2,)"), "3F800000 C0000000"), undefined, "tensor<float>(d0[2]):[1.0, -2.0]"],
  ["halves",                 npy(header("<f2", "(3,)"), "003C 00C0 007C"), undefined, "tensor<half>(d0[3]):[1.0, -2.0, Infinity]"],
  ["bytes with a sign",      npy(header("|i1", "(2,)"), "01 FF"), undefined, "tensor<int8>(d0[2]):[1, -1]"],
  ["bytes without",          npy(header("|u1", "(2,)"), "01 FF"), undefined, "tensor<short>(d0[2]):[1, 255]"],
  ["booleans",               npy(header("|b1", "(2,)"), "00 01"), undefined, "tensor<int8>(d0[2]):[0, 1]"],
  ["16 bits",                npy(header(">i2", "(2,)"), "0102 FFFF"), undefined, "tensor<short>(d0[2]):[258, -1]"],
  ["16 bits without a sign", npy(header("<u2", "(1,)"), "FFFF"), undefined, "tensor<int>(d0[1]):[65535]"],
  ["32 bits",                npy(header("<i4", "(1,)"), "00000080"), undefined, "tensor<int>(d0[1]):[-2147483648]"],
  ["32 bits without a sign", npy(header("<u4", "(1,)"), "FFFFFFFF"), undefined, "tensor<long>(d0[1]):[4294967295]"],
  ["64 bits",                npy(header("<i8", "(1,)"), "FFFFFFFFFFFFFFFF"), undefined, "tensor<long>(d0[1]):[-1]"],
  ["the most of 64 bits",    npy(header("<i8", "(1,)"), "FFFFFFFFFFFFFF7F"), undefined, "tensor<long>(d0[1]):[9223372036854774784]"],
  ["the most of 64 bits as a double", npy(header("<i8", "(1,)"), "FFFFFFFFFFFFFF7F"), "tensor(a[1])", "tensor(a[1]):[9.223372036854776E18]"],
  ["64 bits without a sign as with one", npy(header("<u8", "(1,)"), "FFFFFFFFFFFFFFFF"), "tensor<long>(a[1])", "tensor<long>(a[1]):[-1]"],
  ["the least of 64 bits",   npy(header(">i8", "(1,)"), "8000000000000000"), undefined, "tensor<long>(d0[1]):[-9223372036854775808]"],
  ["64 bits without a sign", npy(header("<u8", "(1,)"), "0000000000000080"), undefined, "tensor(d0[1]):[9.223372036854776E18]"],
  ["a scalar",               npy(header("<f8", "()"), "000000000000F03F"), undefined, "tensor():{1.0}"],
  ["C order",                npy(header("|i1", "(2, 3)"), "01 02 03 04 05 06"), undefined, "tensor<int8>(d0[2],d1[3]):[[1, 2, 3], [4, 5, 6]]"],
  ["Fortran order",          npy(header("|i1", "(2, 3)", "True"), "01 04 02 05 03 06"), undefined, "tensor<int8>(d0[2],d1[3]):[[1, 2, 3], [4, 5, 6]]"],
  ["a longer header",        npy(header("|i1", "(1,)"), "07", 2), undefined, "tensor<int8>(d0[1]):[7]"],
  ["a type",                 npy(header("|i1", "(2, 1)"), "01 02"), "tensor(a[2],b[1])", "tensor(a[2],b[1]):[[1.0], [2.0]]"],
  ["an open size",           npy(header("|i1", "(2,)"), "01 02"), "tensor(a[])", "tensor(a[]):{0:1.0, 1:2.0}"],
  ["nothing",                npy(header("|i1", "(0,)"), ""), undefined, "tensor<int8>(d0[]):{}"],
  ["texts in other quotes",  npy('{"descr": "<i2", "fortran_order": False, "shape": (1,)}', "0700"), undefined, "tensor<short>(d0[1]):[7]"],
  ["another writer's header", npy("{'shape':(1L,),'fortran_order':False,'descr':'|i1'}", "07"), undefined, "tensor<int8>(d0[1]):[7]"],
])("%s", (_, bytes, type, expected) => {
  const { tree, problems } = reading(bytes, type);
  expect(problems.map(told)).toEqual([]);
  expect(`${tree}`).toBe(expected);
});

test("axes are dimensions in the order that is asked for", () => {
  const bytes = npy(header("|i1", "(2, 3)"), "01 02 03 04 05 06");
  expect(`${reading(bytes, "tensor(a[3],b[2])", ["b", "a"]).tree}`).toBe(
    "tensor(a[3],b[2]):[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]",
  );
  const back = writeNpy(parseTensor("tensor<int8>(a[3],b[2]):[[1,4],[2,5],[3,6]]"), ["b", "a"]);
  expect(Buffer.from(back).equals(Buffer.from(bytes))).toBe(true);
});

test.each([
  ["little-endian", npy(header("<i8", "(2, 1)"), "0100000000002000 FFFFFFFFFFFFFF7F")],
  ["big-endian", npy(header(">i8", "(2, 1)"), "0020000000000001 7FFFFFFFFFFFFFFF")],
  ["in Fortran order", npy(header("<i8", "(2, 1)", "True"), "0100000000002000 FFFFFFFFFFFFFF7F")],
])("whole numbers of 64 bits, %s, stay what they are as cells of type long", (_, bytes) => {
  const { tree } = reading(bytes, "tensor<long>(a[2],b[1])");
  expect(tree?.data).toEqual(BigInt64Array.of(2n ** 53n + 1n, 2n ** 63n - 1n));
  for (const axes of [
    ["a", "b"],
    ["b", "a"],
  ])
    expect(tree && Buffer.from(writeNpy(tree, axes).slice(-16)).toString("hex")).toBe(
      "0100000000002000ffffffffffffff7f",
    );
});

// biome-ignore format: a table
test.each([
  ["tensor(x[2]):[1,-2]",             npy(header("<f8", "(2,)"), "000000000000F03F 00000000000000C0")],
  ["tensor<float>(x[1],y[2]):[[1,2]]", npy(header("<f4", "(1, 2)"), "0000803F 00000040")],
  ["tensor<bfloat16>(x[1]):[1]",      npy(header("<f4", "(1,)"), "0000803F")],
  ["tensor<bfloat16>(x[2],y[1]):[[-3],[1.0078125]]", npy(header("<f4", "(2, 1)"), "000040C0 0000813F")],
  ["tensor<half>(x[1]):[-2]",         npy(header("<f2", "(1,)"), "00C0")],
  ["tensor<short>(x[1]):[258]",       npy(header("<i2", "(1,)"), "0201")],
  ["tensor<long>(x[1]):[-1]",         npy(header("<i8", "(1,)"), "FFFFFFFFFFFFFFFF")],
  ["tensor():{1}",                    npy(header("<f8", "()"), "000000000000F03F")],
])("%s is written", (text, expected) => {
  expect(Buffer.from(writeNpy(parseTensor(text))).toString("hex")).toBe(Buffer.from(expected).toString("hex"));
});

test("only indexed dimensions are axes", () => {
  expect(() => writeNpy(parseTensor("tensor(k{}):{a:1}"))).toThrow(
    "npy cannot hold this tensor of type tensor(k{})",
  );
  expect(reading(npy(header("|i1", "(1,)"), "01"), "tensor(k{})").problems.map(told)).toEqual([
    ["npy cannot hold this tensor of type tensor(k{})", "tensor(k{})"],
  ]);
});

const numbers = "whole, floating-point or boolean cells, such as '<f4'";
const signature = "at byte 0 there must be the signature of .npy";
// biome-ignore format: a table
test.each<[string, Uint8Array, string, string | undefined]>([
  ["nothing",          Uint8Array.of(),                               signature, "the end"],
  ["text",             Buffer.from("[1, 2]"),                         signature, "another byte"],
  ["half a signature", Buffer.from("\x93NUM", "latin1"),              "at byte 4 there must be the signature of .npy", "the end"],
  ["version 9",        npy(header("|i1", "(1,)"), "01", 9),           "at byte 6 there must be version 1, 2 or 3", "version 9"],
  ["a cut header",     npy(header("|i1", "(1,)"), "01").slice(0, 60), "at byte 10 there must be a header of 118 bytes", "50 more bytes"],
  ["no dictionary",    npy("import os", "01"),                        "at byte 10 there must be a dictionary in braces", "another text"],
  ["code",             npy("{'descr': print(1), }", "01"),            "at byte 11 there must be }", "\"'descr': print(1), }\""],
  ["no shape",         npy("{'descr': '|i1', 'fortran_order': False}", "01"), "at byte 10 there must be descr, fortran_order and shape", "a header without 'shape'"],
  ["two shapes",       npy("{'shape': (1,), 'shape': (2,)}", "01"),   "at byte 25 there must be each entry once", "'shape' again"],
  ["objects",          npy(header("|O", "(1,)"), "01"),               `at byte 20 there must be ${numbers}`, "Python objects"],
  ["structures",       npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "01"), `at byte 20 there must be ${numbers}`, "an array of structures"],
  ["texts",            npy(header("<U3", "(1,)"), "01"),              `at byte 20 there must be ${numbers}`, "'<U3'"],
  ["complex numbers",  npy(header("<c16", "(1,)"), "01"),             `at byte 20 there must be ${numbers}`, "'<c16'"],
  ["no order",         npy("{'descr': '|i1', 'fortran_order': (1), 'shape': (1,), }", "01"), "at byte 44 there must be True or False", "(1)"],
  ["no list",          npy("{'descr': '|i1', 'fortran_order': False, 'shape': (1 2), }", "01"), "at byte 60 there must be a shape, such as (2, 3)", "(1 2)"],
  ["too few cells",    npy(header("<f8", "(2,)"), "00"),              "at byte 128 there must be the 16 bytes of 2 cells, and no more", "1 bytes"],
  ["too many cells",   npy(header("|i1", "(1,)"), "01 02"),           "at byte 128 there must be the 1 bytes of 1 cells, and no more", "2 bytes"],
  ["a huge shape",     npy(header("|i1", "(2147483647, 2147483647)"), "01"), "at byte 128 there must be the 4611686014132420600 bytes of 4611686014132420600 cells, and no more", "1 bytes"],
  ["a huger one",      npy(header("|i1", "(99999999999,)"), "01"),    "at byte 60 there must be at most 64 axes of at most 2147483647", "(99999999999,)"],
])("%s is refused", (_, bytes, message, found) => {
  const { tree, problems } = reading(bytes);
  expect(tree).toBeUndefined();
  expect(problems.map(told)).toEqual([[message, found]]);
});

// biome-ignore format: a table
test.each([
  ["tensor(x[3])",      "at byte 60 there must be the shape (3,), as the axes are x of tensor(x[3])"],
  ["tensor(x[2],y[1])", "at byte 60 there must be the shape (2, 1), as the axes are x, y of tensor(x[2],y[1])"],
  ["tensor()",          "at byte 60 there must be the shape (), as tensor() has no axes"],
])("an array of two is no %s", (type, message) => {
  expect(reading(npy(header("|i1", "(2,)"), "01 02"), type).problems.map(told)).toEqual([[message, "(2,)"]]);
});

test("no bytes make it throw", async () => {
  const good = [npy(header("<f4", "(2, 1)"), "0000803F 00000040"), zipSync({ "a.npy": one, "b.npy": two })];
  const spoilt = fc
    .record({ bytes: fc.constantFrom(...good), at: fc.nat(500), byte: fc.nat(255), end: fc.nat(500) })
    .map(({ bytes, at, byte, end }) => {
      const copy = bytes.slice(0, end < 50 ? bytes.length - end : undefined);
      copy[at % copy.length] = byte;
      return copy;
    });
  await holds(
    fc.asyncProperty(spoilt, async (bytes) => {
      for (const { tree, problems } of [reading(bytes), await unpacked(bytes, { array: "a" })])
        expect(tree === undefined).toBe(problems.length > 0);
    }),
    2000,
  );
});

const hasNumPy = (() => {
  try {
    return (
      execFileSync("python3", ["-c", "import numpy; print(numpy.__version__)"], { stdio: "pipe" }).length > 0
    );
  } catch {
    console.info("python3 has no numpy here: its files are not compared");
    return false;
  }
})();

describe.skipIf(!hasNumPy)("NumPy itself", () => {
  const folder = temporaryFolder();
  const python = (code: string): string =>
    execFileSync("python3", ["-c", `import numpy as np\n${code}`], { cwd: folder, encoding: "utf8" });

  const kinds = [
    "<f8",
    ">f8",
    "<f4",
    ">f4",
    "<f2",
    ">f2",
    "<i8",
    ">i8",
    "<i4",
    ">i2",
    "|i1",
    "|u1",
    ">u2",
    "<u4",
    ">u8",
    "|b1",
  ];

  test("writes what is read here", () => {
    python(
      `for kind in ${JSON.stringify(kinds)}:
    a = np.array([[[0, 1, 2], [3, 100, 5]], [[6, 7, 8], [9, 10, 11]]]).astype(kind)
    np.save(kind[1:] + ("l" if kind[0] == "<" else "b") + "C.npy", np.ascontiguousarray(a))
    np.save(kind[1:] + ("l" if kind[0] == "<" else "b") + "F.npy", np.asfortranarray(a))`,
    );
    for (const kind of kinds) {
      for (const order of ["C", "F"]) {
        const bytes = readFileSync(
          join(folder, `${kind.slice(1)}${kind[0] === "<" ? "l" : "b"}${order}.npy`),
        );
        const expected = [0, 1, 2, 3, 100, 5, 6, 7, 8, 9, 10, 11].map((each) =>
          kind === "|b1" ? Math.min(each, 1) : each,
        );
        const { tree, problems } = reading(bytes, "tensor(x[2],y[2],z[3])");
        expect(problems.map(told)).toEqual([]);
        expect(Array.from(tree?.data ?? [], Number)).toEqual(expected);
      }
    }
  });

  test("reads what is written here, and writes archives that are read here", async () => {
    const types = ["double", "float", "half", "int8", "short", "int", "long", "bfloat16"];
    for (const type of types)
      writeFileSync(
        join(folder, `${type}.npy`),
        writeNpy(parseTensor(`tensor<${type}>(x[2],y[3]):[[1,2,3],[-4,5,100]]`)),
      );
    writeFileSync(
      join(folder, "labels.npz"),
      await writeNpz(parseTensor("tensor<float>(k{},x[2]):{a:[1,2],'é':[3,4]}")),
    );
    const out = python(
      `for t in ${JSON.stringify(types)}:
    a = np.load(t + ".npy"); print(t, a.dtype, a.shape, a.tolist() == [[1,2,3],[-4,5,100]])
z = np.load("labels.npz")
for k in sorted(z.files): print(k, z[k].dtype, z[k].tolist())
np.savez("stored.npz", a=np.float32([1, 2]), b=np.float32([3, 4]))
np.savez_compressed("packed.npz", a=np.float32([1, 2]), b=np.float32([3, 4]))`,
    );
    const dtypes = ["float64", "float32", "float16", "int8", "int16", "int32", "int64", "float32"];
    expect(out.trim().split("\n")).toEqual([
      ...types.map((type, at) => `${type} ${dtypes[at]} (2, 3) True`),
      "a float32 [1.0, 2.0]",
      "é float32 [3.0, 4.0]",
    ]);
    for (const name of ["stored", "packed"]) {
      const bytes = readFileSync(join(folder, `${name}.npz`));
      const { tree } = await unpacked(bytes, { type: parseType("tensor<float>(k{},x[2])") });
      expect(`${tree}`).toBe("tensor<float>(k{},x[2]):{a:[1.0, 2.0], b:[3.0, 4.0]}");
    }
  });
});
