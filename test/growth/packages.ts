import { checkPackage, readPackage } from "../../src/vespa.js";
import { filesOf, schemaWith } from "../packages.js";
import { type GrowthRow, many, rowsOf, type Texts, tell } from "./row.js";

/** Application packages: schemas, and the types of query profiles, which are XML. */

const schemas: Texts = [
  [
    "fields",
    (n) =>
      `schema doc { document doc { ${many(n / 48, (i) => `field f${i} type int { indexing: attribute }`, "\n")} } }`,
  ],
  [
    "fields without an end",
    (n) => `schema doc { document doc { ${many(n / 20, (i) => `field f${i} type int {`, "\n")}`,
  ],
  [
    "one field again",
    (n) => `schema doc { document doc { ${many(n / 20, () => `field f type int { }`, "\n")} } }`,
  ],
  [
    "profiles",
    (n) => schemaWith(many(n / 64, (i) => `rank-profile p${i} { first-phase { expression: 1 } }`, "\n")),
    100_000,
  ],
  [
    "profiles that inherit",
    (n) =>
      schemaWith(
        many(
          n / 64,
          (i) =>
            `rank-profile p${i} inherits ${i % 50 === 0 ? "default" : `p${i - 1}`} { first-phase { expression: 1 } }`,
          "\n",
        ),
      ),
    100_000,
  ],
  [
    "one profile again",
    (n) => schemaWith(many(n / 64, () => `rank-profile p { first-phase { expression: 1 } }`, "\n")),
  ],
  [
    "functions",
    (n) =>
      schemaWith(
        `rank-profile p { ${many(n / 48, (i) => `function f${i}() { expression: ${i} }`, "\n")} first-phase { expression: f0 } }`,
      ),
  ],
  [
    "functions in a chain",
    (n) =>
      schemaWith(
        `rank-profile p { ${many(n / 48, (i) => `function f${i}() { expression: f${i + 1} + 1 }`, "\n")} first-phase { expression: f0 } }`,
      ),
    100_000,
  ],
  [
    "functions with unknown names",
    (n) =>
      schemaWith(
        `rank-profile p { ${many(n / 48, (i) => `function f${i}() { expression: attribute(p${i}) }`, "\n")} first-phase { expression: f0 } }`,
      ),
  ],
  [
    "constants",
    (n) =>
      schemaWith(
        `rank-profile p { constants { ${many(n / 16, (i) => `c${i}: ${i}`, "\n")} } first-phase { expression: 1 } }`,
      ),
  ],
  [
    "inputs",
    (n) =>
      schemaWith(
        `rank-profile p { inputs { ${many(n / 24, (i) => `query(q${i}) tensor(x[3])`, "\n")} } first-phase { expression: 1 } }`,
      ),
  ],
  [
    "match features",
    (n) =>
      schemaWith(
        `rank-profile p { match-features: ${many(n / 10, (i) => `f${i}`, " ")}\n first-phase { expression: 1 } }`,
      ),
  ],
  [
    "an expression",
    (n) => schemaWith(`rank-profile p { first-phase { expression: ${many(n / 4, () => "1", " + ")} } }`),
  ],
  [
    "an expression of unknown features",
    (n) =>
      schemaWith(
        `rank-profile p { first-phase { expression { ${many(n / 16, (i) => `foo(f${i})`, " + ")} } } }`,
      ),
  ],
  [
    "rank properties",
    (n) => schemaWith(`rank-profile p { rank-properties { ${many(n / 12, (i) => `a.b${i}: 1`, "\n")} } }`),
  ],
  ["unknown words", (n) => schemaWith(many(n / 6, (i) => `w${i} {}`, "\n"))],
  [
    "unknown words in a profile",
    (n) => schemaWith(`rank-profile p { ${many(n / 6, (i) => `w${i}: 1`, "\n")} }`),
  ],
  ["open braces", (n) => "{".repeat(n)],
  ["closed braces", (n) => "}".repeat(n)],
  ["schema again", (n) => "schema a { ".repeat(n / 11)],
  ["schema", (n) => "schema ".repeat(n / 7)],
  ["letters", (n) => "a".repeat(n)],
  ["words", (n) => "a ".repeat(n / 2)],
  ["line breaks", (n) => "\n".repeat(n)],
  ["spaces", (n) => " ".repeat(n)],
  ["line breaks with spaces", (n) => "\n ".repeat(n / 2)],
  ["digits", (n) => "1".repeat(n)],
  ["digits and a letter", (n) => `${"1".repeat(n)}§`],
  ["dots", (n) => ".".repeat(n)],
  ["quotes", (n) => `"`.repeat(n)],
  ["backslashes in quotes", (n) => `"${"\\".repeat(n)}`],
  ["tensor", (n) => "tensor".repeat(n / 6)],
  ["tensor openings", (n) => "tensor(".repeat(n / 7)],
  ["tensor cells", (n) => "tensor<".repeat(n / 7)],
  ["tensor and spaces", (n) => `tensor${" ".repeat(n)}`],
  ["tensors and spaces", (n) => `tensor${" ".repeat(20)}`.repeat(n / 26)],
  ["slashes", (n) => "/".repeat(n)],
  ["letters, then slashes", (n) => "a/".repeat(n / 2)],
  ["colons", (n) => ":".repeat(n)],
  ["comments", (n) => "# a\n".repeat(n / 4)],
  [
    "an expression without an end",
    (n) => schemaWith(`rank-profile p { first-phase { expression { ${"(".repeat(n)}`),
  ],
  ["a profile of braces", (n) => schemaWith(`rank-profile p { ${"a { ".repeat(n / 4)}`)],
  ["strange characters", (n) => "§".repeat(n)],
  [
    "imports",
    (n) =>
      schemaWith(
        "",
        many(n / 32, (i) => `import field a.b${i} as c${i} {}`, "\n"),
      ),
  ],
  [
    "structs",
    (n) =>
      `schema doc { document doc { ${many(n / 40, (i) => `struct s${i} { field a type int {} }`, "\n")} } }`,
  ],
  [
    "structs in a chain",
    (n) =>
      `schema doc { document doc { ${many(n / 40, (i) => `struct s${i} { field a type s${i + 1} {} }`, "\n")}\nfield f type s0 {} } }`,
  ],
  [
    "structs that inherit",
    (n) =>
      `schema doc { document doc { ${many(n / 40, (i) => `struct s${i} inherits s${i + 1} { }`, "\n")}\nfield f type s0 {} } }`,
  ],
];

const profileTypes: Texts = [
  [
    "fields",
    (n) =>
      `<query-profile-type id="root">${many(n / 80, (i) => `<field name="ranking.features.query(q${i})" type="tensor(x[3])" />`, "\n")}</query-profile-type>`,
  ],
  ["open fields", (n) => "<field ".repeat(n / 7)],
  ["open texts", (n) => `<field "`.repeat(n / 8)],
  ["a long field", (n) => `<field ${"a".repeat(n)}`],
  ["a long field of texts", (n) => `<field ${`"a"`.repeat(n / 3)}`],
  ["a field of names", (n) => `<field ${"name ".repeat(n / 5)}>`],
  ["a field of names and spaces", (n) => `<field name${" ".repeat(n)}>`],
  ["many names and spaces", (n) => `<field ${`name${" ".repeat(300)}`.repeat(n / 304)}>`],
  ["a query of spaces", (n) => `<field name="ranking.features.query(${" ".repeat(n)}" type="tensor(x[1])">`],
];

export const packageRows: readonly GrowthRow[] = [
  ...rowsOf("schema", schemas, (text) =>
    tell(checkPackage(readPackage(filesOf({ "schemas/doc.sd": text })))),
  ),
  ...rowsOf("query profile", profileTypes, (text) => {
    const types = { "search/query-profiles/types/root.xml": text };
    tell(readPackage(filesOf({ "schemas/doc.sd": schemaWith(""), ...types })));
  }),
];
