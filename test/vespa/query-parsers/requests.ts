import { Choice } from "../../hunt/choice.js";

/**
 * Requests by chance, a line each as JSON, for Record.java: typed queries of all types, and conditions in YQL.
 *
 *     npx esbuild test/vespa/query-parsers/requests.ts --bundle --platform=node --format=esm | node - SEED COUNT > requests.jsonl
 */

const typedWords = [
  ...[
    "hello",
    "World",
    "a",
    "c++",
    "it's",
    "e-mail",
    "x_y",
    "3.14",
    "2020",
    "-5",
    "né",
    "日本",
    "don't",
    "user@host.com",
  ],
  ...[
    "http://a.b/c",
    "C#",
    "AT&T",
    "a.b",
    "x,y",
    "1,000",
    "50%",
    "and",
    "OR",
    "not",
    "emoji😀",
    "t1",
    "v2.0",
    "ﬁne",
    "İx",
  ],
];
const fields = ["title:", "body:", "tag:", "price:", "unheard:", "default:", "code:", "TITLE:"];
const parts = ["*w", "w*", "*w*", "*", "ab*cd", "t1*", "*né*"];
const ranges = [
  "<5",
  ">5",
  ">=5",
  "[1;5]",
  "[;5]",
  "[1;]",
  "<-5",
  ">3.5",
  "[1;5;10]",
  "<5>",
  "[1..5]",
  "=5",
  "[-3;-1]",
];
const signs = [
  ...[
    "!",
    "!!",
    '"',
    "(",
    ")",
    "+",
    "-",
    ":",
    "title:",
    "a:b:c",
    "?",
    "/",
    "\\",
    '-"x',
    "'x y'",
    "^",
    "~",
    "$x",
    "@y",
    "x!200!",
  ],
];
const weights = ["!", "!!", "!200", "!0", "!50", "!x", "^2", "!1.5", "@@"];
const types = ["weakAnd", "all", "any", "web", "phrase", "tokenize"];

/** A part of a typed query, at most so deep in parentheses. */
function typedPart(choice: Choice, depth: number): string {
  const some = (separator: string, each: () => string): string =>
    Array.from({ length: 1 + choice.below(3) }, each).join(separator);
  const kind = choice.below(100);
  const word = (): string => choice.oneOf(typedWords);
  const text = (): string => {
    if (kind < 50) return word();
    if (kind < 60) return `"${some(" ", word)}"`;
    if (kind < 68) return choice.oneOf(parts);
    if (kind < 76) return choice.oneOf(ranges);
    if (kind < 84 && depth > 0) return `(${some(" ", () => typedPart(choice, depth - 1))})`;
    if (kind < 90) return choice.oneOf(signs);
    return word() + choice.oneOf(["-", "/", ".", ":", "'", "+", "_"]) + word();
  };
  const maybe = (percent: number, list: readonly string[]): string =>
    choice.below(100) < percent ? choice.oneOf(list) : "";
  return maybe(12, ["+", "-"]) + maybe(25, fields) + text() + maybe(15, weights);
}

const typedQuery = (choice: Choice): object => ({
  query: Array.from({ length: 1 + choice.below(4) }, () => typedPart(choice, 2)).join(" "),
  type: choice.oneOf(types),
});

const words = [
  ...[
    "hello",
    "World",
    "a b",
    "c++",
    "it's",
    "wi-fi",
    "x_y",
    "3.14",
    "2020",
    "-5",
    "né",
    "日本 語",
    "don't stop",
    "v2.0",
  ],
  ...["user@host.com", "emoji😀", "\\u00e9t\\u00e9", 'a\\"b', "tab\\tx", "it\\'s", "\\\\x"],
];
const ofTerms = [
  ...[
    "weight: 200",
    "weight: 0",
    'label: "l"',
    "significance: 0.5",
    "ranked: false",
    "ranked: true",
    "stem: false",
  ],
  ...["filter: true", "documentFrequency: {frequency: 3, count: 10}", "usePositionData: false"],
];

/** A condition of YQL, at most so deep. */
class Conditions {
  constructor(private readonly choice: Choice) {}

  any(depth: number): string {
    const { choice } = this;
    const deeper = (): string => this.any(depth - 1);
    const kind = depth === 0 ? 0 : choice.below(100);
    if (kind < 45) return this.one();
    if (kind < 60) return `${deeper()} and ${deeper()}`;
    if (kind < 70) return `${deeper()} or ${deeper()}`;
    if (kind < 85) return `${this.annotations(["weight: 7", 'label: "o"', "ranked: false"])}(${deeper()})`;
    if (kind < 89) return `${deeper()} and !(${deeper()})`;
    if (kind < 93) return `rank(${deeper()}, ${deeper()})`;
    if (kind < 97)
      return `${this.annotations(["targetHits: 5", "weight: 9"])}weakAnd(${deeper()}, ${deeper()})`;
    return `nonEmpty(${deeper()})`;
  }

  private annotations(list: readonly string[]): string {
    return this.choice.below(100) < 40 ? `{${this.choice.oneOf(list)}}` : "";
  }

  private said(list: readonly string[], text: string): string {
    return `(${this.annotations(list)}${text})`;
  }

  private text(): string {
    return `"${this.choice.oneOf(words)}"`;
  }

  private one(): string {
    const { choice } = this;
    const text = (): string => this.text();
    const field = choice.oneOf(["title", "body", "default", "tag", "code"]);
    const indexed = choice.oneOf(["title", "body", "default"]);
    const terms = [...ofTerms, "prefix: true", "suffix: true", "substring: true"];
    const weight = ["weight: 300", 'label: "w"'];
    return choice.oneOf([
      () => `${field} contains ${this.said(ofTerms, text())}`,
      () => `${field} contains ${this.said(terms, text())}`,
      () => `${indexed} contains ${this.said(weight, `phrase(${text()}, ${text()})`)}`,
      () =>
        `${field} contains ${this.said(["distance: 5"], `${choice.oneOf(["near", "onear"])}(${text()}, ${text()})`)}`,
      () => `${indexed} contains ${this.said(['label: "e"'], `equiv(${text()}, ${text()})`)}`,
      () => `${field} matches ${this.said(weight, '"a.*"')}`,
      () =>
        `price ${choice.oneOf(["=", "<", ">", "<=", ">="])} ${this.said(weight, choice.oneOf(["5", "-5", "3.5", "5L"]))}`,
      () =>
        this.said(
          [...weight, 'bounds: "open"', 'bounds: "leftOpen"'],
          `range(price, ${choice.oneOf(["1", "-3.5"])}, 9)`,
        ),
      () => `range(price, -Infinity, ${choice.oneOf(["9", "10L"])})`,
      () => this.said(weight, 'weightedSet(tag, {"a": 1, "b b": 2})'),
      () => this.said(weight, 'dotProduct(tag, {"a": 1, "b": 2})'),
      () => this.said(["targetHits: 5", ...weight], "wand(price, [[1, 2], [3, 4]])"),
      () => 'tag in ("a", "b c")',
      () => `tag contains ${this.said(["maxEditDistance: 1", ...weight], `fuzzy(${text()})`)}`,
      () => choice.oneOf(["true", "false", "userQuery()"]),
      () =>
        this.said(
          ['defaultIndex: "title"', "ranked: false", ...weight],
          `userInput(${choice.oneOf(["@q", text()])})`,
        ),
      () => `{grammar: "${choice.oneOf([...types, "raw", "segment"])}"}userInput(@q)`,
    ])();
  }
}

const behind = ["", "", "", " limit 5", " order by price desc", " | all(group(price) each(output(count())))"];

const yqlQuery = (choice: Choice): object => ({
  yql: `select * from doc where ${new Conditions(choice).any(3)}${choice.oneOf(behind)}`,
  query: "typed wi-fi",
  q: 'it\'s a "b c"',
});

const [seed = "1", count = "200"] = process.argv.slice(2);
const choice = new Choice(Number(seed));
for (let left = Number(count); left > 0; left--)
  console.log(JSON.stringify(left % 2 === 0 ? typedQuery(choice) : yqlQuery(choice)));
