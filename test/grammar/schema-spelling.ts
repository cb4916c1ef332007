import { flags, settings } from "../../src/vespa/package/syntax/words.js";
import type { Token } from "./ebnf.js";
import type { Spelling } from "./sentences.js";

/** How sentences of schema.ebnf are written: what ends with its line is followed by the end of one. */
const line: Token = { kind: "class", name: "newline" };

const names = ["a", "title", "b.c", "some-name", "x1", "$v", "titlematch$", "0.5", "-1", "1e+9", "3d", "_"];
const strings = ['"a"', "'b c'", '""', String.raw`"\"} {"`, "'}'", '"# no comment"', '"it\'s"'];
const tensors = ["tensor(x[2])", "tensor<float>(k{}, y[3])", "tensor()"];
const paths = ["models/a.onnx", "a/b-c/d.json", "/", "//x", "2/3+b"];
const others = ["+", "||", "?", "^", String.raw`\"`, "\\", "å🐝", "==", "*", "|", "%", "..."];
const pieces = [...names, ...strings, ...tensors, ...paths, ...others, ".out", ":", ",", "<", ">"];
const brackets = ["(", ")", "[", "]"];

const samples: Readonly<Record<string, readonly string[]>> = {
  newline: ["\n", "\r\n", "\r", "\n\n\t\n", "  # a comment } {\n", "\n # it's\n# \"\n"],
  name: names,
  string: strings,
  tensor: tensors,
  path: paths,
  suffix: [".out", ".a.b"],
  text: [...pieces, ...brackets],
  piece: pieces,
  symbol: [...strings, ...tensors, ...paths, ...others, ".out", ":", ",", "<", ">", ...brackets],
  setting: Object.values(settings).flat(),
  flag: flags,
};

export const schemaSpelling: Spelling = {
  spell: (tokens, random) =>
    tokens
      .map(({ kind, name }) => (kind === "fixed" ? name : random.of(samples[name] ?? [])))
      .map((word) => word + random.of([" ", " ", "  ", "\t", "\u00a0"]))
      .join(""),
  around: {
    Setting: { after: line }, // a setting that says nothing would take the next statement for its subject
    Line: { after: line },
    FeatureLine: { after: line },
    Other: { before: line, after: line },
    Stray: { before: line, after: line },
  },
};
