import type { SqlDialect } from "../dialect.js";
import type { Template } from "../expressions/scalar-expression.js";

/** What a dialect says for itself; the rest follows from the standard. */
export type Essentials = Pick<
  SqlDialect,
  | "name"
  | "title"
  | "isRun"
  | "identifier"
  | "text"
  | "number"
  | "types"
  | "shared"
  | "range"
  | "upTo"
  | "rows"
  | "isNaN"
> & {
  /** The digits of a whole number of 2^63 and more, or an error of the engine. */
  readonly greatWhole: Template;
  /** The whole part of a number. */
  readonly truncate?: Template;
  /** A number rounded to a float and back, where it is in the range of floats; nothing where the engine has no floats. */
  readonly asFloat: Template | undefined;
  /** The larger of two numbers, where a NaN is the largest of all. */
  readonly greatest: Template;
  /** The logarithm to base 2, which may be off by one when it is rounded down. */
  readonly logarithmOf2?: Template;
  /** The remainder of a division by a power of 2; by default that of any division. */
  readonly modulo?: Template;
  /** e to the power of x, in the functions that need it. */
  readonly exponential?: Template;
  /** In how many bits two whole numbers from 0 to 255 differ. */
  readonly bitCount: Template;
  /** The bits that two whole numbers of 64 bits have in common. */
  readonly commonBits?: Template;
};

/** What a dialect says otherwise than the standard. */
export type Exceptions = Partial<
  Omit<SqlDialect, keyof Essentials | "asLabel" | "scalars" | "aggregates">
> & {
  readonly scalars?: Partial<SqlDialect["scalars"]>;
  readonly aggregates?: Partial<SqlDialect["aggregates"]>;
};
