import type { Captures } from "./template.js";

/** What is set in type: transposed matrices, and sums over an index. */

/** `a' * b'`: between two signs of transposition there is no text. */
export const betweenQuotes = ({ X, Q = "" }: Captures): string | undefined =>
  /^'\s*[-+*/^].*'$/.test(Q) ? `${X}${Q.slice(1, -1)}` : undefined;
/** `\sum_i a`, with its dimension after the underscore. */
export const typeset = ({ X = "", F }: Captures): string | undefined => {
  const [, aggregator, dimension] = /^(sum|prod|max|min)_([A-Za-z]\w*)$/.exec(X) ?? [];
  return aggregator === undefined ? undefined : `${aggregator}(${F}, ${dimension})`;
};
