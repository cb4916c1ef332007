import { type Code, describe, type Severity, severityOf, type Values, type Words } from "./messages.js";
import { type Position, positionOf, type Span } from "./span.js";

/**
 * What is wrong with a program, as data: a code, the values its message speaks of, the place, and other
 * places that matter. Text is made of it only when somebody reads it.
 */
export class Problem {
  readonly severity: Severity;

  constructor(
    readonly code: Code,
    readonly values: Values,
    readonly span: Span,
    readonly places: readonly Place[] = [],
    severity: Severity = severityOf(code),
  ) {
    this.severity = severity;
  }

  /** The sentence, what was found, what was wanted, and a hint, as far as the code has them. */
  get words(): Words {
    return describe(this.code, this.values);
  }

  /** One plain sentence. */
  get message(): string {
    return this.words.says;
  }

  /** Where the primary span starts, as a line and a column. */
  get position(): Position {
    return positionOf(this.span.source, this.span.start);
  }

  /** Errors stop a program; warnings and portability warnings do not. */
  get isError(): boolean {
    return this.severity === "error";
  }

  /** As plain data, for `--json` and logs. */
  toJSON(): object {
    const { says, ...rest } = this.words;
    const places = this.places.map((each) => ({ says: each.says, ...placeData(each.span) }));
    const others = places.length === 0 ? {} : { places };
    return {
      code: this.code,
      severity: this.severity,
      message: says,
      ...rest,
      ...placeData(this.span),
      ...others,
    };
  }
}

function placeData(span: Span): object {
  const { line, column } = positionOf(span.source, span.start);
  return { file: span.source.name, line, column, start: span.start, end: span.end };
}

/** Another place that a problem speaks of, and what is there. */
export interface Place {
  readonly span: Span;
  readonly says: string;
}

/** The typed way to make a problem: the code decides which values its message needs. */
export function problem<C extends Code>(
  code: C,
  span: Span,
  values: Values<C>,
  places: readonly Place[] = [],
): Problem {
  return new Problem(code, values, span, places);
}

/** What every failure of the library throws. Its message is the first problem's. */
export class SphexError extends Error {
  override readonly name = "SphexError";

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map((each) => `${each.code}: ${each.message}`).join("\n"));
  }
}

/** Takes problems as they are found. */
export type Report = <C extends Code>(
  code: C,
  span: Span,
  values: Values<C>,
  places?: readonly Place[],
) => void;
