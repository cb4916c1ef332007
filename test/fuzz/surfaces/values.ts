import {
  evaluate,
  parseJson,
  parseTensor,
  readTensor,
  renderSvg,
  renderText,
  showTensor,
  writeTensor,
} from "../../../src/index.js";
import { Grammar } from "../grammar.js";
import { outcome, type Surface, textSurface } from "../surface.js";

/** Values that a host without types hands to the library: the input is JSON, and each of its values goes everywhere. */

// biome-ignore format: a grammar
const grammar = new Grammar({
  value:  ["1", "null", "-0", "1e999", "true", '"a"', '"tensor(x[2]):[1,2]"', '"tensor(k{}):{a:1}"', "[]", "{}", "[<value*,>]", "{<member*,>}", '{"string":<value>}', '{"type":<value>,"cells":<value>}'],
  member: ['"<key>":<value>'],
  key:    ["a", "x", "k", "0", "type", "cells", "values", "string", "__proto__", "length", "constructor"],
});

const expressions = [
  "a",
  "sum(a, x)",
  "a + 1",
  "input a: tensor(x[2])\na",
  "input a: tensor(k{})\na * 2",
  "input a: tensor<int8>(k{},x[2])\na",
];

/** A host that is written in JavaScript may give anything: what is no such value is a problem. */
function attemptInput(text: string): void {
  const value = plain(text);
  if (value === undefined) return;
  for (const expression of expressions)
    outcome(() => `${evaluate(expression, { a: value as never }, { limits: { cells: 1000 } })}`);
}

function plain(text: string): unknown {
  const { tree } = parseJson({ name: "text", text });
  return tree?.value;
}

/** A tensor in every form that it is shown in. */
function attemptShowing(text: string): void {
  const tensor = outcome(() => parseTensor(text)) ?? outcome(() => readTensor(text, "json"));
  if (tensor === undefined || tensor.data.length > 2000) return;
  for (const format of ["pretty", "table", "markdown", "csv", "json"] as const)
    showTensor(tensor, { format, width: 40 });
  for (const kind of ["heat", "line", "bars"] as const) {
    outcome(() => renderText(tensor, { kind, width: 40 }));
    outcome(() => renderSvg(tensor, { kind }));
  }
  for (const format of ["npy", "binary", "csv"] as const) outcome(() => writeTensor(tensor, format));
}

const tensors = new Grammar({
  // biome-ignore format: a grammar
  tensor: ["tensor(x[2]):[1,2]", "tensor(x[3],y[2]):[[<n>,<n>],[<n>,<n>],[<n>,<n>]]", "tensor(k{}):{a:<n>,'b c':<n>}", "tensor(k{},x[2]):{<row*,>}", "tensor(j{},k{},x[2]):{{j:a,k:b}:[<n>,<n>]}", "tensor():<n>"],
  row: ["<label>:[<n>,<n>]"],
  label: ["a", "b", "'\u001b[31m'", "'é🐝'", "0"],
  n: ["1", "0", "NaN", "Infinity", "-1e300", "1e-300", "0.1"],
});

export const valueSurfaces: readonly Surface[] = [
  textSurface({
    name: "input",
    weight: 2,
    derive: (choice) => grammar.derive("value", choice),
    attempt: attemptInput,
  }),
  textSurface({
    name: "showing",
    weight: 1,
    derive: (choice) => tensors.derive("tensor", choice),
    attempt: attemptShowing,
  }),
];
