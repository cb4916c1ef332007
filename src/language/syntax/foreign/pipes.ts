import { operators } from "../../scalar/operators.js";
import { tightnessOf } from "./grouping.js";
import { behindOperand, lexemesOf } from "./lexemes.js";
import { commonFunctions } from "./library-calls.js";
import { separatedBy } from "./lists.js";
import type { Captures } from "./template.js";

/** Values that a pipe hands on to functions: `a |> abs |> sum`. */

/** The steps behind the first pipe, and what stands behind the last of them. */
interface Pipe {
  readonly steps: readonly string[];
  readonly rest: string;
}

function pipeOf(text: string, sign: readonly string[]): Pipe | undefined {
  const lexemes = lexemesOf(text);
  const steps: string[] = [];
  for (let at = 0; ; at += sign.length) {
    const [from, end] = [lexemes[at], behindOperand(lexemes, at)];
    if (from === undefined || end === undefined || !/^[A-Za-z_]/.test(from.text)) return undefined;
    steps.push(text.slice(from.start, lexemes[end - 1]?.end));
    at = end;
    if (!sign.every((each, more) => lexemes[at + more]?.text === each))
      return { steps, rest: text.slice(lexemes[at]?.start ?? text.length) };
  }
}

const isWord = (step: string): boolean => /^[\w.]+$/.test(step);

/** A step that is given a value: as the only argument, as the first, or by a map where it is a lambda. */
function applied(step: string, value: string): string | undefined {
  if (isWord(step)) return `${step}(${value})`;
  if (/^f\s*\([\w\s]*\)\s*\(/.test(step)) return `map(${value}, ${step})`;
  const [, name, all = ""] = /^([\w.]+)\s*\(([\s\S]*)\)$/.exec(step) ?? [];
  const others = all.trim() === "" ? [] : separatedBy(all, ",");
  // Some languages say by a sign which argument it is.
  const isElsewhere = others.some((each) => /^[_.%#]?$/.test(each));
  return name === undefined || isElsewhere ? undefined : `${name}(${[value, ...others].join(", ")})`;
}

/**
 * How tightly the value before a pipe has to hold together. Where steps are words, a pipe binds looser than a sum and tighter
 * than a comparison; where they are calls, or more is written behind them, languages differ, but for signs and powers.
 */
function isClear(value: string, { steps, rest }: Pipe, isTight: boolean): boolean {
  const { tightness } = isTight || rest !== "" || !steps.every(isWord) ? operators["*"] : operators["=="];
  return (tightnessOf(value) ?? Number.POSITIVE_INFINITY) > tightness;
}

function written(value: string, pipe: Pipe | undefined, isTight: boolean): string | undefined {
  if (pipe === undefined || !isClear(value, pipe, isTight)) return undefined;
  let inner: string | undefined = value;
  for (const step of pipe.steps) inner = inner === undefined ? undefined : applied(step, inner);
  return inner && `${inner}${pipe.rest === "" ? "" : ` ${pipe.rest}`}`;
}

export const piped = ({ A = "", B = "" }: Captures): string | undefined =>
  written(A, pipeOf(B, ["|", ">"]), false);

/** `a %>% sum`, as R has it, which binds tighter than a product. */
export const pipedByPercent = ({ A = "", B = "" }: Captures): string | undefined =>
  written(A, pipeOf(B, ["%", ">", "%"]), true);

/** Whether words behind single bars are functions, and no values: `a | abs | sum`. */
export const areFunctions = ({ B = "" }: Captures): boolean =>
  pipeOf(B, ["|"])?.steps.every((each) => commonFunctions.has(each)) === true;

export const pipeHint =
  "write the function around its argument, as in sum(a), and show by parentheses what that is";
