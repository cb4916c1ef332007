import { unquote } from "../language/source/escapes.js";

/** The characters of a literal as data, from its start to its end; what words are is as its lexer has it. */
export class LiteralScanner {
  constructor(
    private readonly text: string,
    private at = 0,
  ) {}

  /** The code of the next character that is no white space; NaN at the end of the text. */
  next(): number {
    const text = this.text;
    let code = text.charCodeAt(this.at);
    while (isSpace(code)) code = text.charCodeAt(++this.at);
    return code;
  }

  /** Passes a mark, where it comes next. */
  takes(mark: number): boolean {
    if (this.next() !== mark) return false;
    this.at++;
    return true;
  }

  /** A number, as it is written in data; nothing where something else comes next. */
  number(): number | undefined {
    const sign = this.next();
    const start = this.at;
    const isSigned = sign === marks.minus || sign === marks.plus;
    const text = this.text;
    let at = isSigned ? start + 1 : start;
    let code = text.charCodeAt(at);
    let digits = 0;
    let count = 0;
    for (; code >= zero && code <= nine; code = text.charCodeAt(++at), count++)
      digits = 10 * digits + code - zero;
    let decimals = 0;
    if (code === marks.point)
      for (
        code = text.charCodeAt(++at);
        code >= zero && code <= nine;
        code = text.charCodeAt(++at), decimals++
      )
        digits = 10 * digits + code - zero;
    // Both are exact, so that their quotient is rounded once, as the number itself would be.
    const power = count + decimals <= mostDigits ? powers[decimals] : undefined;
    if (power === undefined || count + decimals === 0 || !endsWord(code)) {
      const word = this.word();
      return word === undefined ? undefined : numberIn(word);
    }
    this.at = at;
    return sign === marks.minus ? -(digits / power) : digits / power;
  }

  /** A run of characters that are neither white space nor marks; nothing where another thing comes next. */
  word(): string | undefined {
    const first = this.next();
    if (endsWord(first) || beginsOther(first)) return undefined;
    const text = this.text;
    const start = this.at;
    do this.at++;
    while (!endsWord(text.charCodeAt(this.at)));
    return text.slice(start, this.at);
  }

  /** A label: a word, or a text in quotes without unknown escapes. */
  label(): string | undefined {
    const quote = this.next();
    if (quote !== marks.quote && quote !== marks.apostrophe) return this.word();
    const text = this.text;
    const start = this.at;
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === marks.backslash) at++;
      else if (code === quote) {
        this.at = at + 1;
        const { text: label, unknown } = unquote(text.slice(start, at + 1));
        return unknown.length === 0 ? label : undefined;
      }
    }
    return undefined;
  }
}

/** The codes of characters that mean something in a literal. */
export const marks = {
  openBrace: 123,
  closeBrace: 125,
  openBracket: 91,
  closeBracket: 93,
  comma: 44,
  colon: 58,
  minus: 45,
  plus: 43,
  point: 46,
  quote: 34,
  apostrophe: 39,
  backslash: 92,
} as const;

const [zero, nine, blank, firstWide] = [48, 57, 32, 128];

/** Whole numbers of so many digits, and powers of ten as high, are doubles. */
const mostDigits = 15;
const powers = Array.from({ length: mostDigits + 1 }, (_, exponent) => 10 ** exponent);

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/;
const nonFiniteNumbers: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "+Infinity": Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
};

/** The number that a word of data is, if it is one. */
export function numberIn(word: string): number | undefined {
  if (decimal.test(word)) return Number.parseFloat(word);
  return Object.hasOwn(nonFiniteNumbers, word) ? nonFiniteNumbers[word] : undefined;
}

function isSpace(code: number): boolean {
  if (code <= blank) return code === blank || (code >= 9 && code <= 13);
  return code >= firstWide && /\s/.test(String.fromCharCode(code));
}

/** Whether a word ends before a character; NaN is the end of the text. */
function endsWord(code: number): boolean {
  if (code >= zero && code <= nine) return false;
  return (
    code === marks.comma ||
    code === marks.closeBracket ||
    code === marks.closeBrace ||
    code === marks.colon ||
    Number.isNaN(code) ||
    isSpace(code)
  );
}

/** Whether a character that would go on in a word begins something else. */
const beginsOther = (code: number): boolean =>
  code === marks.openBrace || code === marks.openBracket || code === marks.quote || code === marks.apostrophe;
