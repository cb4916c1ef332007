/** Expressions, scripts and settings that are asked about. */

const n = "attribute(n)";

export const expressions: readonly string[] = [
  ...[
    "1",
    "-9223372036854775808",
    "9223372036854775807",
    "99999999999999999999",
    "99999999999999999999.0",
    "1e3",
    ".5",
    "1.",
  ],
  ...[
    "1 + 99999999999999999999",
    "sum(tensor(x[2])(99999999999999999999))",
    `${n} in [99999999999999999999]`,
    "1 // a",
    "(1)",
  ],
  ...[
    "max(query(q), x)",
    "sum(query(q))",
    "true && 1",
    "1 < 2 < 3",
    "2 ^ 3 ^ 2",
    "if(1, 2, 3)",
    "if(1, 2)",
    "sum(query(q), y)",
  ],
];

export const signExpressions: readonly string[] = [
  ...[
    `-(-${n})`,
    "-(-1)",
    "-(-(-1))",
    `-(-(-${n}))`,
    "-(1)",
    "-(-1+2)",
    `-(-(1+2))`,
    "--1",
    "---1",
    "- - 1",
    "-(--1)",
    "!-1",
    "-!1",
  ],
  ...[
    "!!1",
    "!(!1)",
    "-(!1)",
    `-(!${n})`,
    `!(!${n})`,
    "!(!(-1))",
    "-(-sqrt(4))",
    "1 - (-(-1))",
    `2 * -(-${n})`,
    `abs(-(-${n}))`,
  ],
  ...[
    "sum(map(query(q), f(x)(-(-x))))",
    `sum(tensor(x[2])(-(-${n})))`,
    `sum(tensor(x[2]):[-(-${n}), 1])`,
    `f(-(-${n}))`,
    "f(-1)",
  ],
  ...[
    `g(-${n})`,
    "-g(1)",
    "-h",
    "!h",
    "-i",
    "-(i)",
    "-(-i)",
    "1 - i",
    "f(-i)",
    `-(-${n})^2`,
    `2^(-(-${n}))`,
    "-(-2)^2",
  ],
  ...[
    "-(-rankingExpression(h))",
    `if(${n} > 2, -(-${n}), 1)`,
    `if(1 > 2, -(-${n}), 1)`,
    `max(1, -(-${n}))`,
    `sum(-(-query(q)))`,
  ],
];

export const listExpressions: readonly string[] = [
  ...[
    `${n} in [1]`,
    `${n} in []`,
    `${n} in [1,]`,
    `${n} in [1] + 1`,
    `${n} in [1] in [1]`,
    `${n} in [1] && 1`,
    `1 + ${n} in [1]`,
  ],
  ...[
    `(${n} in [1]) + 1`,
    `1 + (${n} in [1])`,
    `(${n} in [1]) && 1`,
    `(${n} in [1]) || (${n} in [2])`,
    `!(${n} in [1])`,
  ],
  ...[
    `(!(${n} in [1])) + 1`,
    `(1 + (${n} in [1])) * 2`,
    `2 * (${n} in [1]) * 2`,
    `if((${n} in [1]) == 1, 1, 2)`,
  ],
  ...[
    `sum((${n} in [1]) * query(q))`,
    `sum(query(q) * (${n} in [1]))`,
    `max(${n} in [1], 2)`,
    "j",
    "j + 1",
    "1 + j",
    "j && 1",
  ],
  ...["if(j == 1, 2, 3)", "-j", "(j)"],
];

const positions: readonly ((call: string) => string)[] = [
  ...[(call: string) => call, (call: string) => `${call} > 1`, (call: string) => `if(${call} > 1, 2, 3)`],
  ...[
    (call: string) => `if(${n} > 2, ${call}, 3)`,
    (call: string) => `${call} && 1`,
    (call: string) => `!${call}`,
  ],
  ...[(call: string) => `-${call}`, (call: string) => `${call} in [1]`, (call: string) => `1 in [${call}]`],
  ...[
    (call: string) => `sum(tensor(k[2])(${call}))`,
    (call: string) => `max(${call}, 1)`,
    (call: string) => `exp(${call})`,
  ],
  ...[(call: string) => `sum(tensor(k[2]):[${call}, 1])`, (call: string) => `query(q)[${call}]`],
  ...[
    (call: string) => `sum(query(q) * ${call})`,
    (call: string) => `cell_cast(query(q) * ${call}, float){x:0}`,
  ],
];

export const loops = [
  { place: "what calls again", of: positions.map((each) => each("clamp(x)")) },
  { place: "what reads a parameter", of: positions.map((each) => each("x")) },
];

const steps = [
  ...[
    "lowercase",
    "trim",
    "normalize",
    "substring 0 5",
    "to_string",
    "ngram 2",
    "exact",
    "echo",
    "set_language",
    "set_var a",
    "this",
  ],
  ...[
    "tokenize",
    'tokenize normalize stem:"BEST"',
    "input t",
    "input z",
    'input z . " " . input t',
    'input z || ""',
    '"x"',
    "clear_state",
  ],
];

export const scripts: readonly string[] = [
  ...[
    "index",
    "summary | index",
    "attribute | summary",
    "summary | lowercase | index",
    "input z | index | attribute",
  ],
  ...steps.flatMap((step) => [`${step} | index`, `${step} | summary`]),
];

const settings = ["index", "attribute", "summary", "index | attribute"];
const plain = [
  ...[
    "string",
    "int",
    "bool",
    "raw",
    "uri",
    "position",
    "predicate",
    "array<string>",
    "array<bool>",
    "array<uri>",
    "array<raw>",
    "array<p>",
  ],
  ...[
    "map<string, int>",
    "map<p, int>",
    "map<bool, int>",
    "map<array<int>, int>",
    "weightedset<string>",
    "weightedset<p>",
  ],
  ...["weightedset<uri>", "tensor(x[2])", "tensor(x{})", "tensor(x{},y[2])"],
];
const additions = ["match: exact", "match: gram", "match: text", "rank: filter", "attribute: fast-search"];

export const fieldTypes = [
  ...plain.map((type) => ({ type, settings })),
  ...["string", "array<string>", "weightedset<string>"].map((type) => ({
    type,
    settings: settings.flatMap((each) => additions.map((addition) => `${each}\n ${addition}`)),
  })),
  ...["tensor(x[2])", "tensor(x{})"].map((type) => ({
    type,
    settings: settings.flatMap((each) => [
      `${each}\n index { hnsw { max-links-per-node: 3 } }`,
      `${each}\n attribute: fast-search`,
    ]),
  })),
];
