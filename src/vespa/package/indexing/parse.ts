import { nearest } from "../../../language/source/nearest.js";
import type { Span } from "../../../language/source/span.js";
import type { Word } from "../../../language/syntax/tree.js";
import type { ExpectedInScript } from "../model/setting-messages.js";
import { type StepArguments, setSettings, steps, tokenSettings } from "./steps.js";
import { type ScriptToken, scriptTokens } from "./tokens.js";

/** Where a script cannot be read. */
export interface ScriptFault {
  readonly span: Span;
  readonly expected: ExpectedInScript;
}

/** A word that is no step; what is meant, where it is near to one. */
export interface UnknownStep {
  readonly word: ScriptToken;
  readonly nearest: string | undefined;
}

/** A step of `attribute`, `index`, `summary` or `input`, and the field that it names. */
export interface FieldStep {
  readonly step: string;
  readonly field: Word | undefined;
  readonly span: Span;
}

/** What a script says, up to where it cannot be read. */
export interface ParsedScript {
  readonly fields: readonly FieldStep[];
  readonly unknown: readonly UnknownStep[];
  readonly fault: ScriptFault | undefined;
}

/** How deep scripts may stand in each other. */
const mostLevels = 100;

/** Shorter words are near to too many others. */
const shortest = 4;

/** What a script says. One that a block of the schema holds may have several statements, with `;` between. */
export function parseScript(script: Span, isBlock: boolean): ParsedScript {
  return new ScriptParser(scriptTokens(script)).parse(isBlock);
}

/** Thrown where reading ends. */
class Stop extends Error {
  constructor(readonly fault: ScriptFault) {
    super();
  }
}

class ScriptParser {
  private at = 0;
  private level = 0;
  private readonly fields: FieldStep[] = [];
  private readonly unknown: UnknownStep[] = [];

  constructor(private readonly tokens: readonly ScriptToken[]) {}

  parse(isBlock: boolean): ParsedScript {
    const { fields, unknown } = this;
    try {
      this.skipLines();
      if (isBlock) this.statements("");
      else this.statement();
      if (this.next.kind !== "end") this.stop("end of step");
      return { fields, unknown, fault: undefined };
    } catch (error) {
      if (error instanceof Stop) return { fields, unknown, fault: error.fault };
      throw error;
    }
  }

  private get next(): ScriptToken {
    const token = this.tokens[Math.min(this.at, this.tokens.length - 1)];
    if (token === undefined) throw new Error("a script has a token for its end");
    return token;
  }

  private stop(expected: ExpectedInScript): never {
    throw new Stop({ span: this.next.span, expected });
  }

  private takes(sign: string): boolean {
    const isFound = this.next.kind === "sign" && this.next.text === sign;
    if (isFound) this.at++;
    return isFound;
  }

  private expect(sign: string): void {
    if (!this.takes(sign)) this.stop({ sign });
  }

  private skipLines(): void {
    while (this.next.kind === "line") this.at++;
  }

  /** `statement ( ";" statement? )*`, up to a sign or the end. */
  private statements(end: string): void {
    const isEnd = (): boolean => (end === "" ? this.next.kind === "end" : this.takes(end));
    this.statement();
    for (this.skipLines(); !isEnd(); this.skipLines()) {
      if (!this.takes(";")) this.stop(end === "" ? "end of step" : { sign: end });
      this.skipLines();
      if (!this.isAt(";") && !this.isAt(end)) this.statement();
    }
  }

  private isAt(sign: string): boolean {
    return sign === "" ? this.next.kind === "end" : this.next.kind === "sign" && this.next.text === sign;
  }

  /** Steps, each of which hands its value to the next. */
  private statement(): void {
    do {
      this.skipLines();
      this.expression();
    } while (this.takes("|"));
  }

  /** Values that are joined, computed with, or of which the first that there is counts. */
  private expression(): void {
    if (++this.level > mostLevels) this.stop("end of step");
    do this.value();
    while (["||", ".", "+", "-", "*", "/", "%"].some((sign) => this.takes(sign)));
    this.level--;
  }

  private value(): void {
    if (this.takes("(")) {
      this.statement();
      return this.expect(")");
    }
    if (this.takes("{")) return this.script();
    if (this.takes("+") || this.takes("-")) return this.number();
    const { kind, text } = this.next;
    if (kind === "text" || kind === "number") this.at++;
    else if (kind === "word") this.step(text);
    else this.stop("step");
  }

  private script(): void {
    this.skipLines();
    this.statements("}");
  }

  private step(word: string): void {
    const token = this.next;
    const named = Object.hasOwn(steps, word) ? word : undefined;
    const meant = named ?? (word.length < shortest ? undefined : nearest(word, Object.keys(steps)));
    if (named === undefined) this.unknown.push({ word: token, nearest: meant });
    this.at++;
    const behind = meant === undefined ? "words" : steps[meant];
    if (behind === "field?") this.field(meant ?? "", token);
    else if (behind !== undefined) this.arguments[behind]();
  }

  private field(step: string, { span: { source, start } }: ScriptToken): void {
    const isNamed = this.next.kind === "word" || this.next.kind === "text";
    const first = isNamed ? this.next : undefined;
    if (isNamed) this.at++;
    // Behind `input` a point joins texts.
    if (isNamed && step !== "input") while (this.takes(".")) this.name();
    const end = this.tokens[this.at - 1]?.span.end ?? start;
    const field = first && { text: source.text.slice(first.span.start, end), span: { ...first.span, end } };
    this.fields.push({ step, field, span: { source, start, end } });
  }

  /** How each kind of arguments is read. */
  private readonly arguments: Readonly<Record<Exclude<StepArguments, "field?">, () => void>> = {
    nothing: () => {},
    name: () => this.name(),
    number: () => this.number(),
    "number?": () => {
      if (this.next.kind === "number" || this.isAt("-")) this.number();
    },
    "two numbers": () => {
      this.number();
      this.number();
    },
    text: () => this.text(),
    words: () => {
      while (["word", "text", "number"].includes(this.next.kind)) this.at++;
    },
    "token settings": () => this.settings(tokenSettings),
    "set settings": () => this.settings(setSettings),
    statement: () => {
      this.expect("{");
      this.statement();
      this.skipLines();
      this.expect("}");
    },
    script: () => this.block(),
    condition: () => this.condition(),
    cases: () => this.cases(),
    inputs: () => this.inputs(),
  };

  private block(): void {
    if (!this.takes("{")) this.stop("script");
    this.script();
  }

  private name(): void {
    if (this.next.kind !== "word" && this.next.kind !== "text") this.stop("name");
    this.at++;
  }

  private text(): void {
    if (this.next.kind !== "text") this.stop("text");
    this.at++;
  }

  private number(): void {
    if (!this.takes("-")) this.takes("+");
    if (this.next.kind !== "number") this.stop("number");
    this.at++;
  }

  private settings(all: typeof tokenSettings): void {
    while (this.next.kind === "word" && Object.hasOwn(all, this.next.text)) {
      const value = all[this.next.text];
      this.at++;
      if (value === "alone" || !this.takes(":")) continue;
      if (value === "text") this.text();
      else this.number();
    }
  }

  /** `if (a == b) { … } else { … }` */
  private condition(): void {
    this.expect("(");
    this.expression();
    if (!["==", "!=", "<", "<=", ">", ">="].some((sign) => this.takes(sign))) this.stop("comparison");
    this.expression();
    this.expect(")");
    this.block();
    if (this.next.text !== "else") return;
    this.at++;
    this.block();
  }

  /** `switch { case "a": …; default: …; }` */
  private cases(): void {
    this.expect("{");
    this.skipLines();
    if (this.next.text !== "case") this.stop("case");
    const isBranch = (word: string): boolean => word === "case" || word === "default";
    for (let { text } = this.next; isBranch(text); this.skipLines(), { text } = this.next) {
      this.at++;
      if (text === "case") this.text();
      this.branch();
    }
    this.expect("}");
  }

  /** `select_input { a: …; b: …; }` */
  private inputs(): void {
    this.expect("{");
    this.skipLines();
    if (this.next.kind !== "word" && this.next.kind !== "text") this.stop("input");
    for (; this.next.kind === "word" || this.next.kind === "text"; this.skipLines()) {
      this.at++;
      this.branch();
    }
    this.expect("}");
  }

  private branch(): void {
    this.expect(":");
    this.statement();
    this.expect(";");
  }
}
