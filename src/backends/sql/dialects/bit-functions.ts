import { mapTuple } from "../../../language/source/lists.js";
import type { SqlDialect } from "../dialect.js";
import type { Template } from "../expressions/scalar-expression.js";
import type { Fragments } from "./fragments.js";

type BitFunctions = Pick<SqlDialect["scalars"], "bit" | "bit_and" | "bit_or" | "bit_xor" | "hamming">;

/** The functions of the bits of whole parts. */
export function bitFunctionsOf(fragments: Fragments): BitFunctions {
  const { number, types, zero, nan, isNotNumber, isFiniteNumber, truncate, modulo } = fragments;
  const { bitCount, commonBits } = fragments;
  /** The low 8 bits of the whole part, from 0 to 255. */
  const lowByte: Template = (x) =>
    `(CASE WHEN ${isFiniteNumber(x)} THEN ${modulo(`(${modulo(truncate(x), number(256))} + ${number(256)})`, number(256))} ELSE ${zero} END)`;
  /** What follows from the bits that two numbers have in common, and from both. */
  const bitwise =
    (write: (both: string, x: string, y: string) => string): Template =>
    (x, y) => {
      const [a, b] = mapTuple([x, y], (each) => `CAST(${truncate(each)} AS ${types.index})`);
      return `(CASE WHEN abs(${x}) < ${number(2 ** 53)} AND abs(${y}) < ${number(2 ** 53)} THEN CAST(${write(commonBits(a, b), a, b)} AS ${types.number}) ELSE ${nan} END)`;
    };
  return {
    bit: (x, n) =>
      `(CASE WHEN ${isNotNumber(n)} THEN ${modulo(lowByte(x), number(2))} WHEN ${n} > ${number(-1)} AND ${n} < ${number(8)} THEN ${modulo(`floor(${lowByte(x)} / power(${number(2)}, ${truncate(n)}))`, number(2))} ELSE ${zero} END)`,
    bit_and: bitwise((both) => both),
    bit_or: bitwise((both, x, y) => `(${x} + ${y} - ${both})`),
    bit_xor: bitwise((both, x, y) => `(${x} + ${y} - 2 * ${both})`),
    hamming: (x, y) => bitCount(lowByte(x), lowByte(y)),
  };
}
