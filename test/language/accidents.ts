import fc from "fast-check";

/**
 * What chance makes of texts: accidents, after which most texts are none of the language any more, and misreadings,
 * after which most still are, but mean something else or nothing.
 */

/** Characters and words that have no business where they stand. */
// biome-ignore format: a list
const odd = [
  "\0", "\ud800", "\udfff", "🐝", "é", "“", "−", "\u00a0", "\ufeff", "\u2028", "\x7f", "\\", '"', "'", "`", "$", "@", "~", "&", "|", "?", "=", ";",
  "\n", "\r", "\t", "\v", "#", "//", "/*", "(", ")", "[", "]", "{", "}", ",", ":", ".", "!", "-", "+", "*", "/", "%", "^", "<", ">", "<=", "==", "~=", "&&",
  "0", "1", "2", "3.5", "1e400", "1e-400", "99999999999999999999", "2147483647", "2147483648", "100000", "08", "0x1F", "1l", "1a", "1.",
  "x", "y", "i", "k", "a", "f", "f(x)(x)", "f()(1)", "in", "in [1]", "tensor", "tensor()", "tensor(x[2])", "tensor(x[])", "tensor(k{})", "tensor<int8>(x[2])", "tensor(x[100000])",
  "range", "diag", "random", "switch", "case", "default", "if", "input", "constant", "variable", "persistent", "file(\"a\")", "true", "false",
  "sum", "max", "avg", "map", "join", "merge", "reduce", "rename", "concat", "cell_cast", "cell_order", "top", "expand", "mod", "softmax", "unpack_bits",
  "__proto__", "constructor", "toString", "hasOwnProperty", "NaN", "Infinity", "double", "float", "int8", "long", "byte", "query(q)", "{x:0}", "[0]", "[1,2]", "{a}", "{a:1}",
];

/** Any place, the last as likely as the first. */
const place = fc.noBias(fc.nat());

interface Change {
  readonly how: string;
  readonly at: number;
  readonly to: number;
  readonly word: string;
}

const changes = (how: readonly string[], words: readonly string[], most: number): fc.Arbitrary<Change[]> =>
  fc.array(
    fc.record({ how: fc.constantFrom(...how), at: place, to: place, word: fc.constantFrom(...words) }),
    { minLength: 1, maxLength: most },
  );

const wordPattern = /[A-Za-z0-9_@$]+|"[^"]*"|'[^']*'|&&|\|\||[=!<>~]=|\s+|[\s\S]/g;
const wordsOf = (text: string): string[] => text.match(wordPattern) ?? [];

const accident = ["delete", "insert", "replace", "swap", "repeat", "cut", "nick"];

function afterAccident(text: string, { how, at, to, word }: Change): string {
  const words = wordsOf(text);
  const [here, there] = [at % (words.length + 1), to % (words.length + 1)];
  const nick = at % (text.length + 1);
  if (how === "nick") return text.slice(0, nick) + text.slice(nick + 1);
  if (how === "cut") words.length = here;
  else if (how === "delete") words.splice(here, 1 + (to % 3));
  else if (how === "insert") words.splice(here, 0, word);
  else if (how === "replace") words.splice(here, 1, word);
  else if (how === "repeat") words.splice(there, 0, ...words.slice(here, here + 1 + (to % 8)));
  else [words[here], words[there]] = [words[there] ?? "", words[here] ?? ""];
  return words.join("");
}

/** One of these texts after one to four accidents. */
export const accidents = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...texts), changes(accident, odd, 4))
    .map(([text, all]) => all.reduce(afterAccident, text));

/** A word or a number that stands where another should. */
// biome-ignore format: a list
const plain = [
  "x", "y", "i", "k", "j", "t", "f", "in", "a", "b", "d", "s", "n", "0", "1", "2", "3", "1.5", "9", "sum", "max", "min", "avg", "count", "median", "prod", "map", "join", "merge",
  "reduce", "rename", "concat", "cell_cast", "cell_order", "top", "expand", "softmax", "argmax", "unpack_bits", "map_subspaces", "filter_subspaces", "range", "diag", "random",
  "if", "switch", "double", "float", "int8", "half", "little", "abs", "bit", "mod", "matmul", "true", "tensor", "euclidean_distance", "xw_plus_b", "constant", "persistent",
];

const misreading = ["word", "word", "graft", "graft", "trade", "drop", "wrap"];

/** A stretch of words between commas or brackets. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** All parts of a text, each between the nearest commas or brackets. */
function partsOf(words: readonly string[]): Part[] {
  const parts: Part[] = [];
  const open: number[] = [];
  let start = 0;
  for (const [at, word] of words.entries()) {
    if ("([{".includes(word)) {
      open.push(start);
      start = at + 1;
    } else if (",)]}".includes(word)) {
      if (start < at) parts.push({ start, end: at });
      start = word === "," ? at + 1 : (open.pop() ?? 0);
    }
  }
  return parts;
}

const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(all.length, 1)];

/** A text read wrongly: its brackets stay in order. */
function misread(donors: readonly string[]): (text: string, change: Change) => string {
  return (text, { how, at, to, word }) => {
    const words = wordsOf(text);
    const names = [...words.keys()].filter((each) => /^\w/.test(words[each] ?? ""));
    const parts = partsOf(words);
    const [name, part, other] = [pick(names, at), pick(parts, at), pick(parts, to)];
    if (name === undefined || part === undefined || other === undefined) return text;
    const textOf = ({ start, end }: Part): string => words.slice(start, end).join("");
    if (how === "word") words[name] = word;
    else if (how === "graft") words.splice(part.start, part.end - part.start, pick(donors, to) ?? "");
    else if (how === "drop")
      words.splice(
        part.start,
        part.end - part.start + 1,
        words[part.end] === "," ? "" : (words[part.end] ?? ""),
      );
    else if (how === "wrap")
      words.splice(part.start, part.end - part.start, `${word}(${textOf(part)}, ${textOf(other)})`);
    else if (part.end <= other.start || other.end <= part.start) {
      const [first, second] = part.start < other.start ? [part, other] : [other, part];
      const [one, two] = [textOf(first), textOf(second)];
      words.splice(second.start, second.end - second.start, one);
      words.splice(first.start, first.end - first.start, two);
    }
    return words.join("");
  };
}

/** One of these texts, with one or two of its words or parts taken for others; donors are what may stand in a part. */
export const misreadings = (texts: readonly string[], donors: readonly string[]): fc.Arbitrary<string> => {
  const misreader = misread(donors);
  return fc
    .tuple(fc.constantFrom(...texts), changes(misreading, plain, 2))
    .map(([text, all]) => all.reduce(misreader, text));
};

/** Words of the language and characters from anywhere, in no order at all. */
export const noise: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...odd) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 3 }) },
    ),
    {
      maxLength: 25,
    },
  )
  .map((words) => words.join(""));
