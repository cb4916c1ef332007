import { freeDimension } from "./lists.js";
import type { Captures } from "./template.js";

/** Indexes from one number to another, as Python, R and MATLAB write them with a colon. */

/** Whether a text ends where an index begins: with the bracket after an operand. */
export const endsWithIndex = (before: string): boolean => /[\w)\]}]\s*\[\s*$/.test(before);

/** `1:10`, as R and MATLAB count. */
export const counted = ({ N, M }: Captures, _: string, before: string): string | undefined => {
  if (endsWithIndex(before)) return undefined;
  const [first, last] = [Number(N), Number(M)];
  const isRange = Number.isInteger(first) && Number.isInteger(last) && first <= last;
  return isRange ? `tensor(x[${last - first + 1}])(${first === 0 ? "x" : `x + ${first}`})` : undefined;
};
/** `a[1:3]`: a tensor of these cells. */
export const range = ({ X = "", N, M }: Captures): string => {
  const name = freeDimension(X, ["i", "j"]);
  const index = Number(N) === 0 ? name : `${name} + ${N}`;
  return `tensor(${name}[${Number(M) - Number(N)}])(${X}[${index}])`;
};
/** What to do where the tensor has no name: `tensor(x[3]):[1,2,3][0:2]`. */
export const rangeHint = ({ N, M }: Captures): string =>
  `name the tensor, as in t = …, and write tensor(i[${Number(M) - Number(N)}])(t[${Number(N) === 0 ? "i" : `i + ${N}`}])`;
