import { behindAtom, repetitionAt } from "./backtracking.js";
import { longestReplacement } from "./charsmap.js";

/**
 * How long a text may be on which the regular expressions of a tokenizer's file are tried. Those that may take time as a power of
 * two are refused; others, as `a*a*b`, take time as a power of the length, so a text may have no more characters than are tried in
 * so many steps. The steps are estimated from above, by counting the ways to match what stands before something that may fail.
 */

/** A number of steps: a factor times a power of the length of the text. */
interface Steps {
  readonly factor: number;
  readonly power: number;
}

const once: Steps = { factor: 1, power: 0 };

const product = (a: Steps, b: Steps): Steps => ({ factor: a.factor * b.factor, power: a.power + b.power });

const sum = (a: Steps, b: Steps): Steps => ({
  factor: a.factor + b.factor,
  power: Math.max(a.power, b.power),
});

const larger = (a: Steps, b: Steps): Steps =>
  a.power > b.power || (a.power === b.power && a.factor >= b.factor) ? a : b;

/** Part of a pattern. */
interface Part {
  /** In how many ways it may match. */
  readonly ways: Steps;
  /** How many ways are tried until it fails. */
  readonly steps: Steps;
  /** Whether something in it may not match. */
  readonly mayFail: boolean;
}

const nothing: Part = { ways: once, steps: once, mayFail: false };
const atom: Part = { ways: once, steps: once, mayFail: true };

/** One part behind another: where the second fails, all ways of the first are tried. */
const behind = (first: Part, second: Part): Part => ({
  ways: product(first.ways, second.ways),
  steps: larger(first.steps, second.mayFail ? product(first.ways, second.steps) : second.steps),
  mayFail: first.mayFail || second.mayFail,
});

const either = (first: Part, second: Part): Part => ({
  ways: sum(first.ways, second.ways),
  steps: larger(first.steps, second.steps),
  mayFail: first.mayFail && second.mayFail,
});

function repeated(part: Part, least: number, most: number): Part {
  const isLong = most > longCount;
  const ways = isLong
    ? { factor: part.ways.factor, power: part.ways.power + 1 }
    : {
        factor: part.ways.factor ** most * (most - least + 1),
        power: part.ways.power * most,
      };
  return { ways, steps: part.steps, mayFail: part.mayFail && least > 0 };
}

/** What is repeated more often counts as if it were repeated without end. */
const longCount = 32;

/** A group that is open, or the whole pattern. */
interface Open {
  readonly before: Part | undefined;
  readonly sequence: Part;
  /** Looking ahead or behind finds one way and takes nothing. */
  readonly isLook: boolean;
}

const outermost: Open = { before: undefined, sequence: nothing, isLook: false };

const closed = ({ before, sequence, isLook }: Open): Part => {
  const part = before === undefined ? sequence : either(before, sequence);
  return isLook ? { ways: once, steps: part.steps, mayFail: true } : part;
};

/** What a pattern costs at one position of a text. */
function patternPart(pattern: string): Part {
  const open: Open[] = [];
  let current = outermost;
  for (let at = 0; at < pattern.length; ) {
    const sign = pattern[at];
    if (sign === "(") {
      open.push(current);
      const kind = pattern.slice(at + 1, at + 4);
      const isLook = ["?=", "?!", "?<=", "?<!"].some((look) => kind.startsWith(look));
      current = { ...outermost, isLook };
      at += kind.startsWith("?") ? 2 : 1;
      continue;
    }
    if (sign === "|") {
      const before = closed({ ...current, isLook: false });
      current = { before, sequence: nothing, isLook: current.isLook };
      at++;
      continue;
    }
    let part = atom;
    if (sign === ")") {
      part = closed(current);
      current = open.pop() ?? outermost;
      at++;
    } else at = behindAtom(pattern, at);
    const repetition = repetitionAt(pattern, at);
    if (repetition !== undefined) {
      part = repeated(part, repetition.least, repetition.most);
      at = repetition.end;
      // The sign of a repetition that takes as little, or gives nothing back.
      if (pattern[at] === "?" || pattern[at] === "+") at++;
    }
    current = { ...current, sequence: behind(current.sequence, part) };
  }
  for (let outer = open.pop(); outer !== undefined; outer = open.pop())
    current = { ...outer, sequence: behind(outer.sequence, closed(current)) };
  return closed(current);
}

/** So many steps take seconds. */
const mostSteps = 10_000_000_000;

/** No text has more characters, whatever the patterns. */
const mostCharacters = 100_000_000;

/** How many characters a text may have for one pattern, which is tried at each of them. */
export function longestTextOf(pattern: string): number {
  const { factor, power } = patternPart(pattern).steps;
  return Math.min(mostCharacters, Math.floor((mostSteps / factor) ** (1 / (power + 1))));
}

/** How long a text may be for all patterns of a file, and the one that bounds it most. */
export interface TextLimit {
  readonly characters: number;
  readonly pattern: string;
}

/** The limit of a file; what it puts in the place of its patterns may make a text longer before others are tried. */
export function textLimit(json: unknown): TextLimit {
  const open: unknown[] = [json];
  let [growth, limit]: [number, TextLimit] = [1, { characters: mostCharacters, pattern: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if ("pattern" in next && "content" in next) growth *= growthOf(next.pattern, next.content);
    if ("precompiled_charsmap" in next) growth *= longestReplacement;
    for (const [key, value] of Object.entries(next)) {
      if (key === "Regex" && typeof value === "string") {
        const characters = longestTextOf(value);
        if (characters < limit.characters) limit = { characters, pattern: value };
      } else if (typeof value === "object" && value !== null) open.push(value);
    }
  }
  return { ...limit, characters: Math.floor(limit.characters / growth) };
}

/** How many times as long a text becomes, at most, where something takes the place of a pattern. */
function growthOf(pattern: unknown, content: unknown): number {
  if (typeof content !== "string" || typeof pattern !== "object" || pattern === null) return 1;
  if ("String" in pattern && typeof pattern.String === "string" && pattern.String !== "")
    return Math.max(1, content.length / pattern.String.length);
  const isEmpty =
    !("Regex" in pattern) || typeof pattern.Regex !== "string" || !patternPart(pattern.Regex).mayFail;
  return Math.max(1, content.length + (isEmpty ? 1 : 0));
}
