import fc from "fast-check";
import { expect, test } from "vitest";
import { readBinary, writeBinary } from "../../src/formats/binary.js";
import { Tensor } from "../../src/index.js";
import { cellTypes, decay } from "../../src/language/types/cell.js";
import { parseTensor } from "../../src/program/inputs/inputs.js";
import { tensors } from "../arbitraries.js";
import { holds } from "../chance.js";

/** Vespa's typed binary format, against language.md 6.3, byte by byte; and what hostile bytes do. */

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.replaceAll(" ", "").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const reading = (bytes: Uint8Array) => readBinary({ name: "a.tbf", bytes });

// The first five are the vectors of language.md; the others are put together by hand from its grammar.
// biome-ignore format: a table
const goldens = [
  ["tensor(x[2]):[1,2]",                     "02 01 0178 02 3FF0000000000000 4000000000000000"],
  ["tensor<float>(k{}):{a:1}",               "05 01 01 016B 01 0161 3F800000"],
  ["tensor<int8>(k{},x[2]):{a:[1,-1]}",      "07 03 01 016B 01 0178 02 01 0161 01 FF"],
  ["tensor():{5}",                           "02 00 4014000000000000"],
  ["tensor<bfloat16>(x[2]):[1,-2]",          "06 02 01 0178 02 3F80 C000"],
  ["tensor(k{}):{}",                         "01 01 016B 00"],
  ["tensor(j{},k{}):{{j:a,k:'é'}:-1}",       "01 02 016A 016B 01 0161 02C3A9 BFF0000000000000"],
  ["tensor<float>(k{},x[2],y[1]):{b:[[1],[2]],a:[[3],[4]]}",
                                             "07 01 01 016B 02 0178 02 0179 01 02 0161 40400000 40800000 0162 3F800000 40000000"],
  ["tensor(k{}):{'':1}",                     "01 01 016B 01 00 3FF0000000000000"],
] as const;

test.each(goldens)("%s", (text, hex) => {
  const tensor = parseTensor(text);
  expect(hexOf(writeBinary(tensor)).toUpperCase()).toBe(hex.replaceAll(" ", "").toUpperCase());
  const { tree, problems } = reading(bytesOf(hex));
  expect(problems.map(({ message }) => message)).toEqual([]);
  expect(`${tree}`).toBe(`${tensor}`);
});

// biome-ignore format: a table
test.each([
  ["Java's scalar",            "01 00 01 4014000000000000",                       "tensor():{5.0}"],
  ["a scalar as a mixed one",  "03 00 00 4014000000000000",                       "tensor():{5.0}"],
  ["blocks in any order",      "01 01 016B 02 0162 3FF0000000000000 0161 4000000000000000", "tensor(k{}):{a:2.0, b:1.0}"],
  ["a double that says so",    "06 00 01 0178 01 3FF0000000000000",               "tensor(x[1]):[1.0]"],
  ["counts of four bytes",     "80000002 80000001 80000001 78 80000001 3FF0000000000000", "tensor(x[1]):[1.0]"],
  ["a NaN and an infinity",    "06 01 01 0178 02 7FC00000 FF800000",              "tensor<float>(x[2]):[NaN, -Infinity]"],
])("%s is read, too", (_, hex, expected) => {
  expect(`${reading(bytesOf(hex)).tree}`).toBe(expected);
});

test("long names and labels have counts of four bytes", () => {
  const label = "a".repeat(128);
  const bytes = writeBinary(parseTensor(`tensor(k{}):{${label}:1}`));
  expect(hexOf(bytes.subarray(0, 9))).toBe("0101016b0180000080".slice(0, 18));
  expect(bytes.length).toBe(5 + 4 + 128 + 8);
  expect(`${reading(bytes).tree}`).toBe(`tensor(k{}):{${label}:1.0}`);
});

test("cells that Vespa lacks are written as what they decay to; an open size as it is", () => {
  expect(hexOf(writeBinary(parseTensor("tensor<half>(x[1]):[-2]")))).toBe("060101017801c0000000");
  expect(hexOf(writeBinary(parseTensor("tensor<long>(x[1]):[1]")))).toBe("02010178013ff0000000000000");
  expect(hexOf(writeBinary(parseTensor("tensor<float>(x[]):[1,2]")))).toBe(
    "06010101780" + "23f80000040000000",
  );
});

// biome-ignore format: a table
const refused: [string, string, string][] = [
  ["",                                    "at byte 0 there must be a tag",                                    "the end"],
  ["00",                                  "at byte 0 there must be a tag: 1, 2, 3, 5, 6 or 7",                "0"],
  ["08",                                  "at byte 0 there must be a tag: 1, 2, 3, 5, 6 or 7",                "8"],
  ["04 00",                               "at byte 0 there must be a tag: 1, 2, 3, 5, 6 or 7",                "4"],
  ["06 04 01 0178 01",                    "at byte 1 there must be a cell type: 0, 1, 2 or 3",                "4"],
  ["80 00",                               "at byte 1 there must be a tag",                                    "1 more byte"],
  ["02",                                  "at byte 1 there must be a count of dimensions",                    "the end"],
  ["02 01 05 78",                         "at byte 3 there must be the name of a dimension of 5 bytes",       "1 more byte"],
  ["02 01 02 20 78 01",                   "at byte 2 there must be the name of a dimension",                  '" x"'],
  ["02 01 00 01",                         "at byte 2 there must be the name of a dimension",                  '""'],
  ["02 01 0178 00",                       "at byte 4 there must be the size of x, at least 1",                "0"],
  ["02 02 0178 01 0178 01",               "at byte 5 there must be names in their order, each once",          "x after x"],
  ["02 02 0179 01 0178 01",               "at byte 5 there must be names in their order, each once",          "x after y"],
  ["03 01 0178 01 0178 01",               "at byte 5 there must be names in their order, each once",          "x after others"],
  ["02 01 0178 02 3FF0000000000000",      "at byte 5 there must be a block of 16 bytes",                      "8 more bytes"],
  ["02 01 0178 01 3FF0000000000000 00",   "at byte 13 there must be the end",                                 "1 more byte"],
  ["01 01 016B 01 01FF 3FF0000000000000", "at byte 6 there must be a label of k",                             "bytes that are not UTF-8"],
  ["05 03 01 016B 02 0161 01 0161 02",    "at byte 9 there must be other labels",                             "the labels a again"],
  ["01 00 00",                            "at byte 2 there must be one block, as there are no labels",        "0 blocks"],
  ["01 00 02 3FF0000000000000",           "at byte 2 there must be one block, as there are no labels",        "2 blocks"],
  // Counts that lie: nothing is made for them.
  ["02 FFFFFFFF 0178 01",                 "at byte 8 there must be the name of a dimension: its length",      "the end"],
  ["01 01 016B FFFFFFFF 0161",            "at byte 10 there must be a block of 8 bytes",                      "the end"],
  ["02 01 0178 FFFFFFFF 3FF0000000000000", "at byte 8 there must be a block of 17179869176 bytes",            "8 more bytes"],
  ["06 03 03 0178 FFFFFFFF 0179 FFFFFFFF 017A FFFFFFFF 01", "at byte 21 there must be a block of 9.903520300447984e+27 bytes", "1 more byte"],
  ["02 01 FFFFFFFF",                      "at byte 6 there must be the name of a dimension of 2147483647 bytes", "the end"],
];

test.each(refused)("%s is refused", (hex, message, found) => {
  const { tree, problems } = reading(bytesOf(hex));
  expect(tree).toBeUndefined();
  expect(problems.map((each) => [each.code, each.message, each.description.found])).toEqual([
    ["bytes/shape", message, found],
  ]);
});

test("a problem shows the bytes around its place", () => {
  const [first] = reading(bytesOf(`02 01 0178 05 ${"00".repeat(30)}`)).problems;
  expect(first?.span).toMatchObject({
    source: { name: "a.tbf", text: `02 01 01 78 05${" 00".repeat(12)} …` },
    start: 15,
    end: 17,
  });
});

test("labels that are no characters have no bytes", () => {
  const tensor = Tensor.from(parseTensor("tensor(k{}):{}").type, { "\ud800": 1 });
  expect(() => writeBinary(tensor)).toThrow("binary cannot hold this tensor of type tensor(k{})");
  expect(() => writeBinary(parseTensor("tensor(x[]):{}"))).toThrow("binary cannot hold");
});

test("what is written is read back", () => {
  holds(
    fc.property(tensors(), (tensor) => {
      fc.pre(tensor.data.length > 0 || tensor.type.isBound);
      fc.pre(!tensor.labels.flat().some((label) => /\p{Cs}/u.test(label)));
      const { tree, problems } = reading(writeBinary(tensor));
      expect(problems).toEqual([]);
      const { type } = tensor;
      const cellType = cellTypes[type.cellType].vespa ? type.cellType : decay(type.cellType);
      expect(tree?.type.cellType).toBe(cellType);
      expect(tree?.as(tree.type.withCells(type.cellType)).toNested()).toEqual(tensor.toNested());
    }),
    1000,
  );
});

test("no bytes make it throw, and each problem names a byte that there is", () => {
  const small = fc.oneof(fc.constantFrom(0, 1, 2, 3, 5, 6, 7, 0x61, 0x78, 0x80, 0xff), fc.nat(255));
  const good = fc.constantFrom(...goldens).map(([, hex]) => bytesOf(hex));
  const spoilt = fc.tuple(good, fc.nat(40), small, fc.boolean()).map(([bytes, at, byte, cuts]) => {
    const copy = cuts ? bytes.slice(0, at) : bytes.slice();
    copy[at % Math.max(1, copy.length)] = byte;
    return copy;
  });
  holds(
    fc.property(
      fc.oneof(
        fc.array(small, { maxLength: 30 }).map((all) => Uint8Array.from(all)),
        spoilt,
      ),
      (bytes) => {
        const { tree, problems } = reading(bytes);
        expect(problems.length).toBe(tree === undefined ? 1 : 0);
        for (const { values } of problems) {
          const { offset } = values as { offset: number }; // of bytes/shape
          expect(offset).toBeLessThanOrEqual(bytes.length);
        }
      },
    ),
    3000,
  );
});
