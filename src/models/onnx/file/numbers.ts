/** The elements of a constant, in their order. */
export interface Numbers extends Iterable<number> {
  readonly length: number;
}

/** The first of some elements. */
export function firstOf(numbers: Numbers): number | undefined {
  const [first] = numbers;
  return first;
}
