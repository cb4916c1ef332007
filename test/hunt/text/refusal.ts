/** A program breaks a rule of the language. */
export class Refused extends Error {}

/** A program uses what this evaluator leaves out, or takes too long for it. */
export class LeftOut extends Error {}

export function refuse(rule: string): never {
  throw new Refused(rule);
}
