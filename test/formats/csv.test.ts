import fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv } from "../../src/formats/csv/read.js";
import { csvText } from "../../src/formats/csv/write.js";
import { positionOf } from "../../src/language/source/span.js";
import { parseType } from "../../src/program/options.js";
import { tensors } from "../arbitraries.js";
import { holds } from "../chance.js";

/** Comma-separated values with a header, as RFC 4180 has them, by hand; and what is refused, with its place. */

const reading = (text: string, type?: string) =>
  readCsv({ name: "a.csv", text }, type === undefined ? undefined : parseType(type));

// biome-ignore format: a table
test.each<[string, string | undefined, string]>([
  ["k,value\na,1\nb,2\n",                     undefined,           "tensor(k{}):{a:1.0, b:2.0}"],
  ["k,value\r\na,1\r\nb,2",                   undefined,           "tensor(k{}):{a:1.0, b:2.0}"],
  ["\ufeffk,value\na,1",                      undefined,           "tensor(k{}):{a:1.0}"],
  ["value\n5\n",                              undefined,           "tensor():{5.0}"],
  ["k,value\n",                               undefined,           "tensor(k{}):{}"],
  ["k,x,value\n",                            "tensor(k{},x[2])",  "tensor(k{},x[2]):{}"],
  ["x,value\n",                              "tensor(x[])",       "tensor(x[]):{}"],
  ["x,value,k\n1,5,a",                        "tensor(k{},x[2])",  "tensor(k{},x[2]):{a:[0.0, 5.0]}"],
  ["x,y,value\n0,0,1\n1,1,2\n",               "tensor(x[2],y[2])", "tensor(x[2],y[2]):[[1.0, 0.0], [0.0, 2.0]]"],
  ["x,value\n2,1",                            "tensor(x[])",       "tensor(x[]):{0:0.0, 1:0.0, 2:1.0}"],
  ["value,value\na,1",                        undefined,           "tensor(value{}):{a:1.0}"],
  ['"k","value"\n"a,b","1"\n"say ""hi""",2\n"two\nlines",3\n"",4\n', undefined,
    `tensor(k{}):{'':4.0, 'a,b':1.0, 'say "hi"':2.0, 'two\\nlines':3.0}`],
  ["k,value\n a ,1",                          undefined,           "tensor(k{}):{' a ':1.0}"],
  ["k,value\n\na,1\n\n",                      undefined,           "tensor(k{}):{a:1.0}"],
  ["k,value\na,NaN\nb,-Infinity\nc,inf\nd,1e3", undefined,         "tensor(k{}):{a:NaN, b:-Infinity, c:Infinity, d:1000.0}"],
  ["k,value\n__proto__,1",                    "tensor<int8>(k{})", "tensor<int8>(k{}):{__proto__:1}"],
])("%j as %s", (text, type, expected) => {
  const { tree, problems } = reading(text, type);
  expect(problems.map(({ message }) => message)).toEqual([]);
  expect(`${tree}`).toBe(expected);
});

// biome-ignore format: a table
test.each<[string, string | undefined, string[]]>([
  ["",                        undefined,         ["1:1 this must be a header: names of dimensions, and value, not nothing"]],
  ["value\n",                 undefined,         ["1:1 this must be a header with a line below it, not no line"]],
  ["x,value\n\n",             "tensor(x[3])",    ["1:1 this must be a header with a line below it, not no line"]],
  ["k,v\na,1",                undefined,         ['1:1 this must be a header: names of dimensions, and value, not "k, v"']],
  ["k k,value\na,1",          undefined,         ['1:1 this must be the name of a dimension, not "k k"']],
  ["k,k,value\na,b,1",        undefined,         ["1:3 this must be each dimension once, not k again"]],
  ["j,value\na,1",            "tensor(k{})",     ['1:1 this must be one of k, value, not "j"', "1:1 this must be a header: k, value, not no column k"]],
  ["k,value\na,one\nb,\nc,2", undefined,         ['2:3 this must be a number, not "one"', "3:3 this must be a number, not nothing"]],
  ["k,value\na\nb,1,2",       undefined,         ["2:1 this must be 2 fields, as in the header, not 1 field", "3:1 this must be 2 fields, as in the header, not 3 fields"]],
  ["x,value\n2,1\n01,1\n,1",  "tensor(x[2])",    ['2:1 this must be an index from 0 to 1, for x, not "2"', '3:1 this must be an index from 0 to 1, for x, not "01"', "4:1 this must be an index from 0 to 1, for x, not nothing"]],
  ["k,value\n,1\n\"\",2",      undefined,         ['2:1 this must be a label, which is "" where it has no characters, not nothing']],
  ["x,value\n-1,1",           "tensor(x[])",     ['2:1 this must be an index from 0, for x, not "-1"']],
  ["k,value\na,1\nb,2\na,3",  undefined,         ["4:1 this must be a cell with an address of its own, not a repeated address"]],
  ['k,value\n"a,1\nb,2',      undefined,         ["2:1 this must be a field that ends, not a quote that is never closed"]],
  ['k,value\n"a"b,1',         undefined,         ["2:1 this must be a comma or the end of the line, not text after the quotes"]],
  ['k,value\na"b,1',          undefined,         ["2:1 this must be a field in quotes, with quotes inside doubled, not a quote inside a field"]],
  ["x,value\n2000000000,1",   "tensor(x[])",     ["1:1 this must be at most 50000000 cells, not 2000000001 cells"]],
])("%j is no %s", (text, type, expected) => {
  const { tree, problems } = reading(text, type);
  expect(tree).toBeUndefined();
  const told = problems.map(({ message, description, span }) => {
    const { line, column } = positionOf(span.source, span.start);
    return `${line}:${column} ${message}, not ${description.found}`;
  });
  expect(told).toEqual(expected);
});

// biome-ignore format: a table
test.each([
  ["k;value\na;1",  undefined,     "columns stand between commas"],
  ["k\tvalue\na\t1", "tensor(k{})", "columns stand between commas"],
  ["k,v\na,1",      undefined,     undefined],
  ["k,value\na,1;5", undefined,    undefined],
  ["sep=,\nk,value\na,1", undefined,   "leave out the line sep=, which only Excel knows"],
  ["sep=;\nk;value\na;1", "tensor(k{})", "leave out the line sep=, which only Excel knows"],
  [",k,value\n0,a,1",   undefined,     "leave out the column without a name: pandas writes its index so, unless index=False"],
  [",k,value\n0,a,1",   "tensor(k{})", "leave out the column without a name: pandas writes its index so, unless index=False"],
  ["K,k,value\n0,a,1",  "tensor(k{})", undefined],
  ["2,k,value\n0,a,1",  undefined,     undefined],
])("%j as %s is told what other programs write into a header", (text, type, hint) => {
  expect(reading(text, type).problems.map(({ description }) => description.hint)).toContain(hint);
});

test("what is written is read back", () => {
  holds(
    fc.property(tensors(), (tensor) => {
      fc.pre(!tensor.labels.flat().some((label) => /\p{Cs}/u.test(label)));
      const { tree, problems } = reading(csvText(tensor), `${tensor.type}`);
      expect(problems.map(({ message, description }) => [message, description.found])).toEqual([]);
      expect(tree?.equals(tensor)).toBe(true);
    }),
    1000,
  );
});

test("no text makes it throw", () => {
  const part = fc.constantFrom("k", "x", "value", ",", "\n", "\r\n", '"', '""', "1", "0", "a", " ");
  holds(
    fc.property(
      fc.array(part, { maxLength: 30 }),
      fc.constantFrom(undefined, "tensor(k{},x[2])", "tensor()"),
      (parts, type) => {
        const { tree, problems } = reading(parts.join(""), type);
        expect(tree === undefined).toBe(problems.length > 0);
      },
    ),
    2000,
  );
  expect(reading("k,value\n".repeat(10_000)).problems).toHaveLength(20);
});
