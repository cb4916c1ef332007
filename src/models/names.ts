import { builtins } from "../language/check/calls/builtins.js";
import { preludeNames } from "../language/check/prelude-names.js";

/**
 * Names of a program for the names of a graph, which may be any text: `/layer.0/MatMul_output_0` becomes
 * `layer_0_MatMul_output_0`. A name that would mean something else, as that of a function or a dimension, gets a `_` behind it.
 */
export class ProgramNames {
  private readonly taken = new Set<string>();
  /** Of each word that several names have become, the number of the next. */
  private readonly counts = new Map<string, number>();

  /** Without a set of words that are reserved, for names that stand where no other word can. */
  constructor(private readonly reserved?: ReadonlySet<string>) {}

  /** A name that no other value has. */
  unique(name: string): string {
    const plain = name
      .split(/\W/)
      .flatMap((each) => each.split("_"))
      .filter((each) => each !== "")
      .join("_")
      .slice(0, longestName);
    const word = plain === "" || /^\d/.test(plain) ? `value_${plain}` : plain;
    const base = this.reserved !== undefined && isReserved(word, this.reserved) ? `${word}_` : word;
    let result = base;
    let count = this.counts.get(base) ?? 2;
    while (this.taken.has(result)) result = `${base}_${count++}`;
    this.counts.set(base, count);
    this.taken.add(result);
    return result;
  }
}

/** A name stands wherever its value is used, and a long one would make a long program of a short file. */
const longestName = 200;

const statementWords = ["input", "constant", "variable", "persistent", "model", "file", "true", "false"];

/** Whether a word may be a dimension, or is a function or a word of the language. */
function isReserved(word: string, reserved: ReadonlySet<string>): boolean {
  if (/^[a-z]\d*$/.test(word) || statementWords.includes(word) || reserved.has(word)) return true;
  return builtins.has(word) || preludeNames().own(word) !== undefined;
}
