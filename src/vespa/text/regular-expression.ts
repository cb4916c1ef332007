/**
 * Regular expressions as `matches` has them in YQL: those of RE2, as far as they are written in queries, found anywhere in a value,
 * in time in proportion to both lengths, which those of JavaScript do not promise. What is not read here has no matcher.
 */
export type ValueMatcher = (value: string) => boolean;

type Test = (sign: string) => boolean;

type MatchStep =
  | { readonly kind: "sign"; readonly test: Test }
  | Fork
  | { readonly kind: "start" | "end" | "found" };

/** Matching goes on at each of these steps, whose numbers are filled in once the steps between are there. */
interface Fork {
  readonly kind: "fork";
  to: readonly number[];
}

/** How many steps an expression may have, and how often a part may be repeated. */
const mostSteps = 20_000;
const mostRepeats = 1000;

/** How deep groups may lie in each other. */
const mostLevels = 100;

/** Finds an expression in values, in any case unless it `isCased`; nothing where it is not understood. */
export function regularExpression(text: string, isCased: boolean): ValueMatcher | undefined {
  try {
    const steps = new ExpressionReader(Array.from(text), isCased).steps();
    return (value) => isFound(steps, Array.from(value));
  } catch (error) {
    if (error instanceof NotRead) return undefined;
    throw error;
  }
}

class NotRead extends Error {}

/** A part of an expression: puts its steps at the end of the list, where they are followed by what comes next. */
type Part = () => void;

class ExpressionReader {
  private at = 0;
  private readonly list: MatchStep[] = [];

  constructor(
    private readonly text: readonly string[],
    private readonly isCased: boolean,
  ) {}

  steps(): readonly MatchStep[] {
    const whole = this.alternatives(0);
    if (this.at < this.text.length) throw new NotRead();
    whole();
    this.add({ kind: "found" });
    return this.list;
  }

  private add(step: MatchStep): void {
    if (this.list.push(step) > mostSteps) throw new NotRead();
  }

  private fork(...to: readonly number[]): Fork {
    const fork: Fork = { kind: "fork", to };
    this.add(fork);
    return fork;
  }

  private takes(sign: string): boolean {
    const isTaken = this.text[this.at] === sign;
    if (isTaken) this.at++;
    return isTaken;
  }

  /** `a|b` */
  private alternatives(level: number): Part {
    if (level > mostLevels) throw new NotRead();
    const parts: Part[] = [this.sequence(level)];
    while (this.takes("|")) parts.push(this.sequence(level));
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return only;
    return () => {
      const fork = this.fork();
      const [starts, ends]: [number[], Fork[]] = [[], []];
      for (const each of parts) {
        starts.push(this.list.length);
        each();
        ends.push(this.fork());
      }
      fork.to = starts;
      for (const each of ends) each.to = [this.list.length];
    };
  }

  private sequence(level: number): Part {
    const parts: Part[] = [];
    for (let next = this.text[this.at]; next !== undefined && next !== "|" && next !== ")"; ) {
      parts.push(this.repeated(this.atom(level)));
      next = this.text[this.at];
    }
    return () => {
      for (const each of parts) each();
    };
  }

  /** `a*`, `a+?`, `a{2,3}` */
  private repeated(part: Part): Part {
    const count = this.count();
    if (count === undefined) return part;
    const [least, most] = count;
    // Whether it takes as much as it can changes nothing of whether it is found.
    this.takes("?");
    if (["*", "+", "?", "{"].some((sign) => this.takes(sign))) throw new NotRead();
    if (least > mostRepeats || (most !== Number.POSITIVE_INFINITY && most > mostRepeats)) throw new NotRead();
    return () => {
      for (let times = 0; times < least; times++) part();
      if (most === Number.POSITIVE_INFINITY) {
        const start = this.list.length;
        const fork = this.fork();
        part();
        this.fork(start);
        fork.to = [start + 1, this.list.length];
        return;
      }
      const forks: Fork[] = [];
      for (let times = least; times < most; times++) {
        forks.push(this.fork(this.list.length + 1));
        part();
      }
      for (const each of forks) each.to = [...each.to, this.list.length];
    };
  }

  private count(): readonly [least: number, most: number] | undefined {
    if (this.takes("*")) return [0, Number.POSITIVE_INFINITY];
    if (this.takes("+")) return [1, Number.POSITIVE_INFINITY];
    if (this.takes("?")) return [0, 1];
    if (this.text[this.at] !== "{") return undefined;
    const end = this.text.indexOf("}", this.at);
    const [, least, most] =
      /^(\d+)(?:,(\d*))?$/.exec(this.text.slice(this.at + 1, Math.max(end, this.at)).join("")) ?? [];
    if (least === undefined) throw new NotRead();
    this.at = end + 1;
    const from = Number(least);
    const to = most === undefined ? from : most === "" ? Number.POSITIVE_INFINITY : Number(most);
    if (to < from) throw new NotRead();
    return [from, to];
  }

  private atom(level: number): Part {
    const sign = this.text[this.at++];
    switch (sign) {
      case "(":
        return this.group(level);
      case "[":
        return this.sign(this.signClass());
      case ".":
        return this.sign((each) => each !== "\n");
      case "^":
        return () => this.add({ kind: "start" });
      case "$":
        return () => this.add({ kind: "end" });
      case "\\":
        return this.sign(this.escaped());
      case undefined:
      case "*":
      case "+":
      case "?":
        throw new NotRead();
      default:
        return this.sign((each) => each === sign);
    }
  }

  private group(level: number): Part {
    if (this.takes("?") && !this.takes(":")) throw new NotRead();
    const inner = this.alternatives(level + 1);
    if (!this.takes(")")) throw new NotRead();
    return inner;
  }

  /** A sign that passes a test, as it is or in another case. */
  private sign(test: Test): Part {
    const own: Test = this.isCased
      ? test
      : (each) => test(each) || test(each.toLowerCase()) || test(each.toUpperCase());
    return () => this.add({ kind: "sign", test: own });
  }

  /** What stands behind a backslash: a class, or the sign itself. */
  private escaped(): Test {
    const sign = this.text[this.at++] ?? "";
    const escapedClass = Object.hasOwn(classes, sign) ? classes[sign] : undefined;
    if (escapedClass !== undefined) return escapedClass;
    if (/[A-Za-z0-9]/.test(sign) || sign === "") throw new NotRead();
    return (each) => each === sign;
  }

  /** `[a-z_]`, `[^0-9]`; `]` may stand first. */
  private signClass(): Test {
    const isNegated = this.takes("^");
    const tests: Test[] = [];
    do {
      const sign = this.text[this.at++];
      if (sign === undefined || (sign === "[" && this.text[this.at] === ":")) throw new NotRead();
      const next = this.text[this.at + 1];
      if (sign === "\\") tests.push(this.escaped());
      else if (this.text[this.at] === "-" && next !== undefined && next !== "]") {
        if (next === "\\" || next < sign) throw new NotRead();
        this.at += 2;
        tests.push((each) => sign <= each && each <= next);
      } else tests.push((each) => each === sign);
    } while (this.text[this.at] !== "]");
    this.at++;
    const passes: Test = (each) => tests.some((test) => test(each));
    if (!isNegated) return passes;
    // What is excluded in one case is in the other one, too.
    const isExcluded: Test = this.isCased
      ? passes
      : (each) => passes(each) || passes(each.toLowerCase()) || passes(each.toUpperCase());
    return (each) => !isExcluded(each);
  }
}

const isDigit: Test = (each) => /^\d$/.test(each);
const isWord: Test = (each) => /^\w$/.test(each);
const isSpace: Test = (each) => /^[\t\n\f\r ]$/.test(each);

const classes: Readonly<Record<string, Test>> = {
  ...{ d: isDigit, w: isWord, s: isSpace },
  ...{ D: (each) => !isDigit(each), W: (each) => !isWord(each), S: (each) => !isSpace(each) },
  ...{ t: (each) => each === "\t", n: (each) => each === "\n", r: (each) => each === "\r" },
};

/** Goes along a value in all ways at once. */
function isFound(steps: readonly MatchStep[], value: readonly string[]): boolean {
  let open = new Set<number>();
  for (let at = 0; at <= value.length; at++) {
    open.add(0);
    const waiting = [...open];
    const next = new Set<number>();
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const step = steps[index];
      if (step === undefined) continue;
      if (step.kind === "found") return true;
      const sign = value[at];
      if (step.kind === "sign") {
        if (sign !== undefined && step.test(sign)) next.add(index + 1);
        continue;
      }
      const isHere = step.kind === "start" ? at === 0 : at === value.length;
      for (const each of step.kind === "fork" ? step.to : isHere ? [index + 1] : [])
        if (!open.has(each)) {
          open.add(each);
          waiting.push(each);
        }
    }
    open = next;
  }
  return false;
}
