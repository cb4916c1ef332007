import { inContext } from "./grouping.js";
import { endsOperand, isCloser, isOpener, type Lexeme } from "./lexemes.js";

/** Absolute values, `|a|`, and lengths, `||a||`: what mathematics writes between bars. */
export interface Barred {
  /** The index after the last bar. */
  readonly to: number;
  /** What is written instead. */
  readonly written: string;
}

/** Bars, one or two, or a bracket, which are not closed yet, and where what is written behind them begins. */
interface Opened {
  readonly sign: "|" | "||" | "(";
  readonly start: number;
}

const isBars = (lexeme: Lexeme | undefined): boolean => /^\|\|?$/.test(lexeme?.text ?? "");

/** How many bars stand in a row from an index on, and the index after them. */
function barsAt(lexemes: readonly Lexeme[], from: number): readonly [count: number, to: number] {
  let [count, to] = [0, from];
  for (; isBars(lexemes[to]) && (to === from || lexemes[to]?.start === lexemes[to - 1]?.end); to++)
    count += lexemes[to]?.text.length ?? 0;
  return [count, to];
}

/** `abs(a)`, or the length of a vector. */
const between = (sign: "|" | "||", text: string): string =>
  sign === "|" ? `abs(${text})` : `sqrt(sum(${inContext(text, "", " ^ 2")} ^ 2))`;

/**
 * What stands between the bars that open at an index. A bar behind an operand closes, any other opens, so that
 * `|a - |b||` is `abs(a - abs(b))`. Two that open are those of a length if two close them, as in `||a||`; otherwise each of
 * them is one by itself, as in `||a| - 1|`.
 */
export function barred(lexemes: readonly Lexeme[], from: number): Barred | undefined {
  const opened: Opened[] = [];
  let [written, isBehind] = ["", false];
  for (let at = from; at < lexemes.length; ) {
    const lexeme = lexemes[at];
    if (lexeme === undefined) return undefined;
    const gap = at > from && lexemes[at - 1]?.end !== lexeme.start ? " " : "";
    if (!isBars(lexeme)) {
      const last = opened.at(-1);
      if (last === undefined || (isCloser(lexeme) && (last.sign !== "(" || opened.pop() === undefined)))
        return undefined;
      written += gap + lexeme.text;
      if (isOpener(lexeme)) opened.push({ sign: "(", start: written.length });
      isBehind = endsOperand(lexeme);
      at++;
      continue;
    }
    const [count, to] = barsAt(lexemes, at);
    at = to;
    if (!isBehind) {
      if (count > 2) return undefined;
      written += gap;
      opened.push({ sign: count === 1 ? "|" : "||", start: written.length });
      continue;
    }
    const closed = closedBy(count, opened, written);
    if (closed === undefined) return undefined;
    written = closed;
    if (opened.length === 0) return { to, written };
  }
  return undefined;
}

/** What is written, when so many bars close those that were opened last. */
function closedBy(count: number, opened: Opened[], text: string): string | undefined {
  let written = text;
  for (let left = count; left > 0; ) {
    const last = opened.pop();
    if (last === undefined || last.sign === "(") return undefined;
    const { sign, start } = last;
    const closing = left === 1 ? "|" : sign;
    if (closing !== sign) opened.push({ sign: "|", start });
    written = written.slice(0, start) + between(closing, written.slice(start).trim());
    left -= closing.length;
  }
  return written;
}
