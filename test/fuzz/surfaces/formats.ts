import { zipSync } from "fflate";
import {
  parseTensor,
  readNpz,
  readTensor,
  type Tensor,
  type TensorFormat,
  writeNpz,
  writeTensor,
} from "../../../src/index.js";
import type { Choice } from "../../hunt/choice.js";
import { Grammar } from "../grammar.js";
import { bytesSurface, demand, laterOutcome, outcome, type Surface, textSurface } from "../surface.js";

/** Tensors in files of each format: what is read is written and read again as the same. */

const types = [
  "tensor(x[2])",
  "tensor(k{})",
  "tensor<int8>(k{},x[2])",
  "tensor<float>(x[2],y[2])",
  "tensor()",
  "tensor(j{},k{})",
  "tensor(x[])",
  "tensor<bfloat16>(x[2])",
];

// biome-ignore format: a grammar
const grammar = new Grammar({
  json:    ["<number>", '{"type":"<type>","cells":<cells>}', '{"type":"<type>","values":<values>}', '{"type":"<type>","blocks":<blocks>}', "<cells>", "<values>", "<blocks>", '"<type>:[1,2]"', "[<json*,>]", '{<member*,>}'],
  member:  ['"<label>":<json>'],
  cells:   ["[]", "[<cell*,>]", "{<entry*,>}"],
  cell:    ['{"address":{<address*,>},"value":<number>}'],
  address: ['"k":"a"', '"<dimension>":"<label>"', '"<dimension>":<index>'],
  entry:   ['"<label>":<number>'],
  values:  ["[]", "[<number*,>]", "[[<number*,>],[<number*,>]]", '"<hex*>"'],
  blocks:  ["[]", '{<block*,>}', '[{"address":{<address*,>},"values":<values>}]'],
  block:   ['"<label>":<values>'],
  number:  ["1", "0", "-1", "2.5", "1e300", "1e400", "-0.0", "null", '"NaN"', '"-Infinity"', "12345678901234567890"],
  hex:     ["00", "ff", "3f80", "7F"],
  type:    ["tensor(x[2])", "tensor(k{})", "tensor<int8>(k{},x[2])", "tensor<float>(x[2],y[2])", "tensor()", "tensor(j{},k{})", "tensor(x[])"],
  dimension: ["x", "y", "k", "j"],
  label:   ["a", "b", "0", "1", "b c", "\\u0000", "\\\"", "__proto__", "é"],
  index:   ["0", "1", "2", "-1", "1.5"],
  csv:     ["k,value\n<line*\n>", "x,y,value\r\n<line*\r\n>", "value\n<field*\n>", "<field*,>\n<line*\n>"],
  line:    ["<field>,<field>", "<field>,<field>,<field>", "<field*,>"],
  field:   ["1", "a", "0", '"b,c"', '"d""e"', "", " 2", "value", "NaN", "x", "1e5", "-inf"],
  header:  ["{'descr': '<descr>', 'fortran_order': <truth>, 'shape': (<shape*, >), }", "{'descr':'<descr>','fortran_order':<truth>,'shape':(2,)}", "{<pair*, >}"],
  pair:    ["'descr': '<descr>'", "'shape': (<shape*,>)", "'fortran_order': <truth>", "'x': [(1)]"],
  descr:   ["<f8", ">f4", "|i1", "<i8", "|b1", "<f2", "<u2", "|O", "<c8", "<U5"],
  truth:   ["False", "True", "false"],
  shape:   ["2", "1", "3", "0", "2L", "99999999999"],
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const readable: readonly TensorFormat[] = ["json", "csv", "literal", "binary"];

/** That what was read is the same when it is written, in a format that knows its type, and read again. */
function expectRoundTrip(value: Tensor, choice: Choice): void {
  const format = choice.oneOf(readable);
  const written = outcome(() => writeTensor(value, format));
  if (written === undefined) return;
  const again = outcome(() => readTensor(written, format, { type: `${value.type}` }));
  demand(`${again}` === `${value}`, `as ${format} it comes back as ${again}`);
}

function attempt(format: TensorFormat): (data: string | Uint8Array, choice: Choice) => void {
  return (data, choice) => {
    const type = choice.percent(60) ? choice.oneOf(types) : undefined;
    const limits = { cells: 10_000 };
    const value = outcome(() => readTensor(data, format, type === undefined ? { limits } : { type, limits }));
    if (value !== undefined) expectRoundTrip(value, choice);
  };
}

function npy(choice: Choice): Uint8Array {
  const header = bytesOf(grammar.derive("header", choice));
  const cells = Uint8Array.from({ length: choice.oneOf([0, 1, 2, 8, 16, 24]) }, () => choice.below(256));
  return Uint8Array.of(
    0x93,
    ...bytesOf("NUMPY"),
    1,
    0,
    header.length & 255,
    header.length >> 8,
    ...header,
    ...cells,
  );
}

const literals = [
  "tensor(x[2]):[1,2]",
  "tensor(k{}):{a:1,b:2}",
  "tensor<int8>(k{},x[2]):{a:[1,2]}",
  "tensor():5",
  "tensor<float>(j{},k{}):{{j:a,k:b}:1}",
];

async function attemptNpz(bytes: Uint8Array, choice: Choice): Promise<void> {
  const type = choice.percent(50) ? choice.oneOf(types) : undefined;
  const limits = { cells: 10_000 };
  const value = await laterOutcome(() => readNpz(bytes, type === undefined ? { limits } : { type, limits }));
  if (value === undefined || value.type.mapped.length > 1 || !choice.percent(20)) return;
  const written = await laterOutcome(() => writeNpz(value));
  if (written === undefined) return;
  const again = await laterOutcome(() => readNpz(written, { type: `${value.type}` }));
  if (again !== undefined) demand(`${again}` === `${value}`, `as npz it comes back as ${again}`);
}

export const formatSurfaces: readonly Surface[] = [
  textSurface({
    name: "json",
    weight: 6,
    derive: (choice) => grammar.derive("json", choice),
    attempt: attempt("json"),
  }),
  textSurface({
    name: "csv",
    weight: 4,
    derive: (choice) => grammar.derive("csv", choice),
    attempt: attempt("csv"),
  }),
  bytesSurface({ name: "npy", weight: 4, derive: npy, attempt: attempt("npy") }),
  bytesSurface({
    name: "binary",
    weight: 4,
    derive: (choice) => {
      const written = writeTensor(parseTensor(choice.oneOf(literals)), "binary");
      return typeof written === "string" ? bytesOf(written) : written;
    },
    attempt: attempt("binary"),
  }),
  bytesSurface({
    name: "npz",
    weight: 1,
    derive: (choice) =>
      zipSync(
        { "a.npy": npy(choice), ...(choice.percent(50) ? { "b.npy": npy(choice) } : {}) },
        { level: choice.oneOf([0, 6]) },
      ),
    attempt: attemptNpz,
  }),
];
