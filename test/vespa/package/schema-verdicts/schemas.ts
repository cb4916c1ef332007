import { expressions, fieldTypes, listExpressions, loops, scripts, signExpressions } from "./texts.js";

/** A schema that asks one question: whether Vespa takes what its name says. */
export interface SmallSchema {
  readonly name: string;
  readonly text: string;
}

interface Parts {
  readonly document?: string;
  readonly schema?: string;
  readonly inputs?: string;
  readonly profile?: string;
  readonly phase?: string;
}

const schemaOf = ({
  document = "",
  schema = "",
  inputs = "",
  profile = "",
  phase = "1",
}: Parts): string => `schema a {
  document a {
    field n type int { indexing: attribute
      attribute: fast-search }
    field t type string { indexing: index }
    struct p { field x type int {} }
    ${document}
  }
  ${schema}
  rank-profile r {
    inputs { query(q) tensor<float>(x[3])
      ${inputs} }
    ${profile}
    first-phase { expression: ${phase} }
  }
}
`;

/** Where texts stand that are asked about, and what is tried there. */
interface Place {
  readonly place: string;
  readonly texts: readonly string[];
  readonly parts: (text: string) => Parts;
}

// biome-ignore format: tables
const numbers = [
  "1", "-1", "007", "1.5", "-1.5", ".5", "5.", "-.5", "+3", "- 3", "3f", "1.5f", "0x1f", "1e3", "1.5e3", "Infinity", "true", "1-a", "1.2.3",
  "2147483647", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
];
// biome-ignore format: a table
const words = [
  "a", "a b", "a-b", "a.b", "a.b.c", "a_b", "_a", "3", "-3", "+3", "1.5", ".5", "-.5", "a,b", "1,2", "(a", "a)", "a(b).c", "a/b", "/a", "a:b", "a;", "a;b",
  "a=b", "a<b", "a!", "a?", "a%", "a&b", "a|b", "a@b", "a*b", "a+b", "a~", "a[b]", "a{b}", "é", "'a b'", '"a b"', '"a;b"', "'a", "-a", "a-", "http://a/b",
];
// biome-ignore format: a table
const labels = ["a", '"a b"', "'a'", "a-b", "a.b", "a/b", "1", "+1", "1.5", "é", '"é"', "a;b", "a+b", "_a", '""', "true", "3f"];
const names = ["a", "a_b", "a-b", "$a", "a.b"];

const places: readonly Place[] = [
  {
    place: "rank property",
    texts: words,
    parts: (text) => ({ profile: `rank-properties { a.b: ${text}\n c.d: 3 }` }),
  },
  {
    place: "key of a rank property",
    texts: words,
    parts: (text) => ({ profile: `rank-properties { ${text}: 3\n c.d: 3 }` }),
  },
  { place: "input", texts: numbers, parts: (text) => ({ inputs: `query(z) double: ${text}` }) },
  {
    place: "input that is a text",
    texts: ["a", '"a"', "1", "1.5"],
    parts: (text) => ({ inputs: `query(z) string: ${text}` }),
  },
  {
    place: "cell of an input",
    texts: [...numbers, "NaN"],
    parts: (text) => ({ inputs: `query(z) tensor(x[2]): [1, ${text}]` }),
  },
  {
    place: "cell of a constant",
    texts: numbers,
    parts: (text) => ({ profile: `constants {\n z tensor(x{}): {a: 1, b: ${text}}\n }` }),
  },
  {
    place: "label of an input",
    texts: labels,
    parts: (text) => ({ inputs: `query(z) tensor(x{}): {${text}: 1}` }),
  },
  {
    place: "label in an address",
    texts: labels,
    parts: (text) => ({ inputs: `query(z) tensor(x{}): {{x:${text}}: 1}` }),
  },
  {
    place: "type of an input",
    texts: [
      "tensor<float>(x[2])",
      "tensor tensor<float>(x[2])",
      "tensor (x[2])",
      "tensor<float> (x[2])",
      "tensor< float >(x[2])",
    ],
    parts: (text) => ({ inputs: `query(z) ${text}` }),
  },
  ...["function", "constant", "input", "parameter", "field set"].map((what) => ({
    place: `name of a ${what}`,
    texts: what === "field set" ? names.slice(0, 3) : names,
    parts: (text: string): Parts => ({
      ...(what === "function" ? { profile: `function ${text}() { expression: 1 }` } : {}),
      ...(what === "parameter" ? { profile: `function f(${text}) { expression: 1 }` } : {}),
      ...(what === "constant" ? { profile: `constants { ${text}: 1 }` } : {}),
      ...(what === "input" ? { inputs: `query(${text}) double` } : {}),
      ...(what === "field set" ? { schema: `fieldset ${text} { fields: t }` } : {}),
    }),
  })),
  ...[
    ["rank profile", "num-threads-per-search"],
    ["rank profile", "termwise-limit"],
    ["rank profile", "filter-threshold"],
    ["weakand", "stopword-limit"],
    ["weakand", "adjust-target"],
    ["weakand", "allow-drop-all"],
    ["significance", "use-model"],
    ["rank t", "filter-threshold"],
    ["rank t", "element-gap"],
    ["diversity", "cutoff-factor"],
    ["match-phase", "max-filter-coverage"],
  ].map(([block = "", setting = ""]) => ({
    place: `${setting} of ${block}`,
    texts: ["1", "-1", "0.5", "1.0", ".5", "1e3", "x", "true", "99999999999"],
    parts: (text: string): Parts => ({
      profile:
        block === "rank profile"
          ? `${setting}: ${text}`
          : `${block} { ${needed(block)} ${setting}: ${text} }`,
    }),
  })),
  ...["gram-size", "max-length"].map((setting) => ({
    place: setting,
    texts: ["1", "1.5", ".5", "1e3", "x", "99999999999"],
    parts: (text: string): Parts => ({
      document: `field z type string { indexing: index\n match { ${setting === "gram-size" ? "gram\n" : ""} ${setting}: ${text} } }`,
    }),
  })),
  ...["max-links-per-node", "neighbors-to-explore-at-insert", "multi-threaded-indexing"].map((setting) => ({
    place: setting,
    texts: ["16", "-1", "+3", "3.0", "3f", "x", "on", "true", "2147483648"],
    parts: (text: string): Parts => ({
      document: `field z type tensor(x[3]) { indexing: attribute | index\n index { hnsw { ${setting}: ${text} } } }`,
    }),
  })),
  {
    place: "expression of a phase",
    texts: [...expressions, ...signExpressions, ...listExpressions],
    parts: (text) => ({ profile: functions, phase: text }),
  },
  {
    place: "expression of a function",
    texts: [...expressions, ...signExpressions, ...listExpressions],
    parts: (text) => ({ profile: `${functions}\n function k() { expression: ${text} }`, phase: "k" }),
  },
  ...loops.map(({ place, of }) => ({ place, texts: of, parts: loopParts(place) })),
  {
    place: "indexing",
    texts: scripts,
    parts: (text) => ({ document: `field z type string { indexing: ${text} }` }),
  },
  ...fieldTypes.map(({ type, settings }) => ({
    place: `field of ${type}`,
    texts: settings,
    parts: (text: string): Parts => ({ document: `field z type ${type} { indexing: ${text} }` }),
  })),
];

/** What a block needs beside the setting that is asked about. */
const needed = (block: string): string =>
  block === "diversity"
    ? "attribute: n\n min-groups: 10\n"
    : block === "match-phase"
      ? "attribute: n\n max-hits: 10\n"
      : "";

const functions = `function f(a) { expression: a }
    function g(a) { expression: -a }
    function h() { expression: -attribute(n) }
    function inline i() { expression: -attribute(n) }
    function inline j() { expression: attribute(n) in [1] }`;

/** Functions that call each other by the same names of parameters; the text is in one of them. */
function loopParts(place: string): Place["parts"] {
  return (text) => {
    const [clamp, damp] = place.startsWith("what reads")
      ? [text, "clamp(x) * 2"]
      : ["max(0, min(1, x))", text];
    return {
      profile: `function clamp(x) { expression: ${clamp} }
    function boost(x) { expression: clamp(x) + 1 }
    function damp(x) { expression: ${damp} }`,
      phase: "damp(boost(attribute(n)))",
    };
  };
}

export const smallSchemas: readonly SmallSchema[] = places.flatMap(({ place, texts, parts }) =>
  texts.map((text) => ({ name: `${place}: ${text.replaceAll(/\s+/g, " ")}`, text: schemaOf(parts(text)) })),
);
