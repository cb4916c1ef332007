import type { Dialect } from "./number-function.js";
import type { Type } from "./type.js";
import { numberOf, numberValue, type Value } from "./value.js";

/** What an expression means in its scope: a type, and a value that is computed when it is first asked for. */
export class Meaning {
  private cached: Value | undefined;

  constructor(
    readonly type: Type,
    private readonly compute: () => Value,
  ) {}

  get value(): Value {
    this.cached ??= this.compute();
    return this.cached;
  }

  get number(): number {
    return numberOf(this.value);
  }
}

export const meaningOf = (value: Value): Meaning => new Meaning(value.type, () => value);
export const numberMeaning = (value: number): Meaning => meaningOf(numberValue(value));

export interface Lambda {
  /** @throws Refused where these are more or fewer than it has parameters. */
  readonly of: (...parameters: readonly Meaning[]) => Meaning;
}

/** What a function is called with, read as it needs each. */
export interface Arguments {
  readonly count: number;
  readonly dialect: Dialect;
  readonly tensor: (at: number) => Meaning;
  readonly lambda: (at: number) => Lambda;
  /** A dimension, an aggregator or a cell type. */
  readonly word: (at: number) => string;
  /** One word or a list of them. */
  readonly words: (at: number) => readonly string[];
  /** The word that an argument is, without brackets around it; nothing where it is another expression. */
  readonly bareWord: (at: number) => string | undefined;
}
