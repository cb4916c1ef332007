import type { Choice } from "./choice.js";
import type { Reference } from "./reference.js";
import type { Answer, Subject } from "./runs.js";

/** A way to run a program. */
export interface Way {
  readonly name: string;
  /** One program of so many is run so. */
  readonly oneOf: number;
  /** Whether it gives the last result alone. */
  readonly isLast?: boolean;
  readonly answers: (subject: Subject, choice: Choice, reference: Reference) => readonly Answer[];
}
