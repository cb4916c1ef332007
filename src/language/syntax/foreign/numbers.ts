import type { Captures } from "./template.js";

/** Numbers as other languages write them: `.5`, `0,5`, `1,000.5`. */

export const decimalMessage =
  "a number has a point before its decimals, and no separator between its thousands";

/** Whether a text ends within a number, so that the digits after it are part of that one: `1.`, `1,`, `1e-`. */
export const endsInNumber = (before: string): boolean => /\d[.,]$|\d[eE][-+]$/.test(before);

/** Digits that may be those of thousands, `1,234`: three, after at most three that do not begin with 0. */
export const mayBeThousands = ({ N = "", M = "" }: Captures): boolean =>
  M.length === 3 && /^[1-9]\d{0,2}$/.test(N);

/** `0,5` with a point. Nothing of `1,234`, which some read as a number of thousands and others as one with decimals. */
export function decimal(captures: Captures, behind: string, before: string): string | undefined {
  const { N, M } = captures;
  if (endsInNumber(before) || /^,\d/.test(behind)) return undefined;
  const areThousands = mayBeThousands(captures);
  if (/^\.\d/.test(behind)) return areThousands ? `${N}${M}` : undefined;
  return areThousands ? undefined : `${N}.${M}`;
}

/** Both of what `1,234` may be. */
export const decimalHint = ({ N, M }: Captures): string =>
  `write ${N}${M} if these are thousands, and ${N}.${M} if they are decimals`;
