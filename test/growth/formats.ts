import { zipSync } from "fflate";
import {
  formatNames,
  jsonForms,
  parseAddress,
  parseTensor,
  readNpz,
  readTensor,
  renderSvg,
  renderText,
  showTensor,
  type Tensor,
  tensorFormats,
  writeNpz,
  writeTensor,
} from "../../src/index.js";
import { attempt, type GrowthRow, many, row } from "./row.js";

const reads = (
  format: (typeof tensorFormats)[number],
  name: string,
  text: (size: number) => string | Uint8Array,
  type?: string,
): GrowthRow =>
  row(`read ${format}: ${name}`, text, (data) =>
    attempt(() => readTensor(data, format, type === undefined ? {} : { type })),
  );

/** An array file with a header of its own and no cells. */
export function npy(header: string, cells: Uint8Array = new Uint8Array()): Uint8Array {
  const text = new TextEncoder().encode(header);
  const bytes = new Uint8Array(12 + text.length + cells.length);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 2, 0]);
  new DataView(bytes.buffer).setUint32(8, text.length, true);
  bytes.set(text, 12);
  bytes.set(cells, 12 + text.length);
  return bytes;
}

const header = (shape: string, more = ""): string =>
  `{'descr': '<f8', 'fortran_order': False, 'shape': ${shape}, ${more}}\n`;

const headers: readonly (readonly [string, (size: number) => string])[] = [
  ["spaces before the brace", (n) => " ".repeat(n)],
  ["spaces in the header", (n) => `{${" ".repeat(n)}`],
  ["spaces behind a name", (n) => `{'descr'${" ".repeat(n)}`],
  ["spaces behind a colon", (n) => `{'descr':${" ".repeat(n)}`],
  ["spaces behind an entry", (n) => `{'descr': '<f8'${" ".repeat(n)}`],
  ["spaces behind the brace", (n) => `${header("(1,)").trim()}${" ".repeat(n)}x`],
  ["spaces in the shape", (n) => header(`(${" ".repeat(n)})`)],
  ["spaces in an open shape", (n) => header(`(${" ".repeat(n)}`)],
  ["spaces between sizes", (n) => header(`(1${" ".repeat(n)}, 2)`)],
  ["spaces between sizes without commas", (n) => header(`(1${" ".repeat(n)}2)`)],
  ["sizes", (n) => header(`(${many(n / 2, () => "1", ",")})`)],
  ["sizes with spaces", (n) => header(`(${many(n / 4, () => "1", " , ")} x)`)],
  ["digits", (n) => header(`(${"1".repeat(n)})`)],
  ["commas", (n) => header(`(${",".repeat(n)})`)],
  ["long sizes with L", (n) => header(`(${many(n / 3, () => "1L", ",")}`)],
  [
    "entries",
    (n) =>
      header(
        "(1,)",
        many(n / 12, (i) => `'a${i}': True,`),
      ),
  ],
  [
    "one entry again",
    (n) =>
      header(
        "(1,)",
        many(n / 10, () => `'a': True,`),
      ),
  ],
  ["an open text", (n) => `{'descr': '${"a".repeat(n)}`],
  ["quotes", (n) => `{${"'".repeat(n)}`],
  ["a long name", (n) => `{'${"a".repeat(n)}`],
  ["a long list", (n) => `{'descr': [${"(".repeat(n)}`],
  ["a long kind", (n) => `{'descr': '<f${"8".repeat(n)}', 'fortran_order': False, 'shape': (1,)}`],
];

const cells = (count: number): Tensor =>
  parseTensor(`tensor(x[${Math.ceil(count)}]):[${many(Math.ceil(count), (i) => `${i % 17}.5`, ",")}]`);
const labels = (count: number): Tensor =>
  parseTensor(`tensor(k{}):{${many(count, (i) => `a${i}:${i}`, ",")}}`);
const blocks = (count: number): Tensor =>
  parseTensor(`tensor(k{},x[2]):{${many(count / 2, (i) => `a${i}:[1,2]`, ",")}}`);
const shapes = { cells, labels, blocks } as const;

const npzOf = (files: Readonly<Record<string, Uint8Array>>): Uint8Array => zipSync(files);

export const formatRows: readonly GrowthRow[] = [
  ...headers.map(([name, text]) => reads("npy", name, (n) => npy(text(n)))),
  reads("npy", "cells", (n) => npy(header(`(${Math.floor(n / 8)},)`), new Uint8Array(8 * Math.floor(n / 8)))),
  row(
    "read npz: files",
    (n) =>
      npzOf(
        Object.fromEntries(
          Array.from({ length: Math.min(60_000, Math.ceil(n / 100)) }, (_, at) => [
            `a${at}.npy`,
            npy(header("()"), new Uint8Array(8)),
          ]),
        ),
      ),
    (bytes) => attempt(() => readNpz(bytes, { type: "tensor(k{})" })),
  ),
  row(
    "read npz: no directory",
    (n) => new Uint8Array(n),
    (bytes) => attempt(() => readNpz(bytes)),
  ),
  row(
    "read npz: spaces in the header",
    (n) => npzOf({ "a.npy": npy(`{${" ".repeat(n)}`) }),
    (bytes) => attempt(() => readNpz(bytes)),
  ),

  ...Object.entries(shapes).flatMap(([name, make]) => [
    ...tensorFormats
      .filter((format) => format !== "npy" || name === "cells")
      .map((format) =>
        row(
          `write ${format}: ${name}`,
          (n: number) => make(n / 8),
          (tensor) => writeTensor(tensor, format),
        ),
      ),
    ...tensorFormats
      .filter((format) => format !== "npy" || name === "cells")
      .map((format) =>
        row(
          `read ${format}: ${name}`,
          (n: number) => ({ data: writeTensor(make(n / 8), format), type: `${make(n / 8).type}` }),
          ({ data, type }) => readTensor(data, format, { type }),
        ),
      ),
    ...jsonForms.map((form) =>
      row(
        `read json ${form}: ${name}`,
        (n: number) => {
          const tensor = make(n / 8);
          try {
            return { data: writeTensor(tensor, "json", { form }), type: `${tensor.type}` };
          } catch {
            return { data: "1", type: "tensor()" };
          }
        },
        ({ data, type }) => attempt(() => readTensor(data, "json", { type })),
      ),
    ),
    ...formatNames.map((format) =>
      row(
        `show ${format}: ${name}`,
        (n: number) => make(n / 8),
        (tensor) => showTensor(tensor, { format }),
      ),
    ),
    ...(["heat", "bars", "line"] as const).map((kind) =>
      row(
        `svg ${kind}: ${name}`,
        (n: number) => make(n / 8),
        (tensor) => attempt(() => renderSvg(tensor, { kind })),
      ),
    ),
    row(
      `text picture: ${name}`,
      (n: number) => make(n / 8),
      (tensor) => attempt(() => renderText(tensor)),
    ),
    row(
      `write npz: ${name}`,
      (n: number) => make(n / 64),
      (tensor) => writeNpz(tensor),
      1_000_000,
    ),
  ]),

  reads("csv", "columns", (n) => `${many(n / 7, (i) => `c${i}`, ",")},value\n`),
  reads(
    "csv",
    "columns with a line",
    (n) => `${many(n / 9, (i) => `c${i}`, ",")},value\n${many(n / 9, () => "1", ",")},1\n`,
  ),
  reads("csv", "one column again", (n) => `${many(n / 2, () => `c`, ",")},value\n`),
  reads("csv", "columns of a type", (n) => `${many(n / 7, (i) => `c${i}`, ",")},value\n`, "tensor(k{})"),
  reads("csv", "wrong lines", (n) => `k,value\n${many(n / 4, () => `a,b`, "\n")}`),
  reads("csv", "quotes", (n) => `"`.repeat(n)),
  reads("csv", "doubled quotes", (n) => `k,value\n"${`""`.repeat(n / 2)}",1`),
  reads("csv", "open quotes on lines", (n) => `k,value\n${`"a,1\n`.repeat(n / 5)}`),
  reads("csv", "quotes inside", (n) => `k,value\n${`a"b,1\n`.repeat(n / 6)}`),
  reads("csv", "text behind quotes", (n) => `k,value\n${`"a"b,1\n`.repeat(n / 7)}`),
  reads("csv", "one line", (n) => "a".repeat(n)),
  reads("csv", "commas", (n) => ",".repeat(n)),
  reads("csv", "line breaks", (n) => "\n".repeat(n)),
  reads("csv", "one address again", (n) => `k,value\n${many(n / 4, () => "a,1", "\n")}`),

  ...(
    [
      ["brackets", (n) => "[".repeat(n)],
      ["closed brackets", (n) => `${"[".repeat(n / 2)}${"]".repeat(n / 2)}`],
      ["braces", (n) => `{"a":`.repeat(n / 5)],
      ["closed braces", (n) => `${`{"a":`.repeat(n / 6)}1${"}".repeat(n / 6)}`],
      [
        "cells in braces",
        (n) => `{"type":"tensor(k{})","cells":${`{"a":`.repeat(n / 6)}1${"}".repeat(n / 6)}}`,
      ],
      ["spaces", (n) => " ".repeat(n)],
      ["digits", (n) => "1".repeat(n)],
      ["digits with dots", (n) => "1.".repeat(n / 2)],
      ["minus", (n) => "-".repeat(n)],
      ["an open text", (n) => `"${"a".repeat(n)}`],
      ["escapes", (n) => `"${"\\n".repeat(n / 2)}"`],
      ["quotes", (n) => `"`.repeat(n)],
      ["letters", (n) => "a".repeat(n)],
      ["numbers", (n) => `[${many(n / 2, () => "1", ",")}]`],
      ["wrong values", (n) => `{"type":"tensor(x[3])","values":[${many(n / 5, () => `"a"`, ",")}]}`],
      ["wrong cells", (n) => `{"type":"tensor(k{})","cells":[${many(n / 4, () => `{}`, ",")}]}`],
      [
        "wrong addresses",
        (n) =>
          `{"type":"tensor(k{})","cells":[${many(n / 32, (i) => `{"address":{"j":"${i}"},"value":1}`, ",")}]}`,
      ],
      [
        "a wide address",
        (n) =>
          `{"type":"tensor(k{})","cells":[{"address":{${many(n / 10, (i) => `"j${i}":"1"`, ",")}},"value":1}]}`,
      ],
      [
        "one cell again",
        (n) =>
          `{"type":"tensor(k{})","cells":[${many(n / 32, () => `{"address":{"k":"a"},"value":1}`, ",")}]}`,
      ],
      ["members", (n) => `{${many(n / 8, (i) => `"a${i}":1`, ",")}}`],
      ["one member again", (n) => `{${many(n / 6, () => `"a":1`, ",")}}`],
      ["a long type", (n) => `{"type":"tensor(${many(n / 7, (i) => `d${i}{}`, ",")})","cells":[]}`],
      ["spaces in a type", (n) => `{"type":"tensor${" ".repeat(n)}(x{})","cells":[]}`],
      ["a long number", (n) => `{"type":"tensor(x[1])","values":["${"1".repeat(n)}x"]}`],
      [
        "a long hex text",
        (n) => `{"type":"tensor<int8>(x[${Math.floor(n / 2)}])","values":"${"0".repeat(n)}"}`,
      ],
      ["a long wrong hex text", (n) => `{"type":"tensor<int8>(x[2])","values":"${"0".repeat(n)}x"}`],
    ] as const satisfies readonly (readonly [string, (n: number) => string])[]
  ).map(([name, text]) => reads("json", name, text)),

  ...(
    [
      ["labels", (n) => `{${many(n / 12, (i) => `{k:a${i}}:${i}`, ",")}}`],
      ["brackets", (n) => `tensor(x[2]):${"[".repeat(n)}`],
      ["braces", (n) => `tensor(x{}):${"{".repeat(n)}`],
      ["braces without a type", (n) => "{".repeat(n)],
      ["labels in labels", (n) => `tensor(x{}):${"{a:".repeat(n / 3)}`],
      ["spaces", (n) => " ".repeat(n)],
      ["spaces behind tensor", (n) => `tensor${" ".repeat(n)}`],
      ["spaces in a type", (n) => `tensor(${" ".repeat(n)}`],
      ["tensor again", (n) => "tensor".repeat(n / 6)],
      ["tensor with brackets again", (n) => "tensor(".repeat(n / 7)],
      ["dimensions", (n) => `tensor(${many(n / 7, (i) => `d${i}{}`, ",")}):{}`],
      ["dimensions of cells", (n) => `{{${many(n / 7, (i) => `d${i}:a`, ",")}}:1}`],
      ["different dimensions of cells", (n) => `{${many(n / 12, (i) => `{d${i}:a}:1`, ",")}}`],
      ["words", (n) => "a ".repeat(n / 2)],
      ["a word", (n) => "a".repeat(n)],
      ["digits", (n) => `tensor(x[1]):[${"1".repeat(n)}]`],
      ["hex digits", (n) => `tensor<int8>(x[${Math.floor(n / 2)}]):${"0".repeat(n)}`],
      ["hex digits, too many", (n) => `tensor<int8>(x[2]):${"0".repeat(n)}`],
      ["blocks of hex digits", (n) => `tensor<int8>(k{},x[2]):{${many(n / 12, (i) => `a${i}:0102`, ",")}}`],
      ["quotes", (n) => `tensor(k{}):{${`"`.repeat(n)}`],
      ["an open text", (n) => `tensor(k{}):{"${"a".repeat(n)}`],
      ["escapes", (n) => `tensor(k{}):{"${"\\q".repeat(n / 2)}":1}`],
      ["wrong cells", (n) => `tensor(k{}):{${many(n / 4, () => "a:b", ",")}}`],
      ["wrong indexes", (n) => `tensor(x[2]):{${many(n / 8, (i) => `{x:${i + 2}}:1`, ",")}}`],
      ["commas", (n) => `tensor(k{}):{${",".repeat(n)}}`],
      ["colons", (n) => `tensor(k{}):{${":".repeat(n)}}`],
      ["negative signs", (n) => `tensor(k{}):{a:${"-".repeat(n)}}`],
    ] as const satisfies readonly (readonly [string, (n: number) => string])[]
  ).map(([name, text]) => reads("literal", name, text)),

  reads("binary", "zeros", (n) => new Uint8Array(n)),
  reads("binary", "ones", (n) => new Uint8Array(n).fill(1)),
  reads("binary", "dimensions", (n) =>
    new Uint8Array(n).map((_, at) => (at === 0 ? 1 : at === 1 ? 127 : at % 2 === 0 ? 1 : 97)),
  ),

  ...(
    [
      ["entries", (n) => many(n / 6, (i) => `d${i}:a`, ",")],
      ["spaces", (n) => " ".repeat(n)],
      ["spaces behind a name", (n) => `a${" ".repeat(n)}`],
      ["spaces behind a colon", (n) => `a:${" ".repeat(n)}x{`],
      ["spaces behind a label", (n) => `a:b${" ".repeat(n)}{`],
      ["spaces in a label", (n) => `a:b${" b".repeat(n / 2)}{`],
      ["a name", (n) => "a".repeat(n)],
      ["a text", (n) => `a:"${"b".repeat(n)}`],
      ["backslashes", (n) => `a:"${"\\".repeat(n)}`],
      ["braces", (n) => "{".repeat(n)],
      ["spaces around braces", (n) => `${" ".repeat(n / 2)}{${" ".repeat(n / 2)}`],
      ["closed braces", (n) => `{${"} ".repeat(n / 2)}x`],
    ] as const satisfies readonly (readonly [string, (n: number) => string])[]
  ).map(([name, text]) => row(`address: ${name}`, text, (each) => attempt(() => parseAddress(each)))),
];
