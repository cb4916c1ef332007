import { type Problem, type Source, SphexError, showProblem } from "../../src/index.js";

/** One kind of input that can be made in any size, and what is done with it. */
export interface GrowthRow {
  readonly name: string;
  /** Makes the input of about so many characters or elements, and returns the work on it. */
  readonly prepare: (size: number) => () => unknown;
  /** The largest size that is measured: some kinds are refused beyond a limit, and cost nothing more there. */
  readonly most?: number | undefined;
}

export const row = <T>(
  name: string,
  input: (size: number) => T,
  work: (input: T) => unknown,
  most?: number,
): GrowthRow => ({
  name,
  prepare: (size) => {
    const prepared = input(size);
    return () => work(prepared);
  },
  most,
});

/** So many texts, joined. */
export const many = (count: number, text: (at: number) => string, between = ""): string =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, at) => text(at)).join(between);

/** A text under a name. */
export const source = (text: string, name = "text"): Source => ({ name, text });

/** All that is said of problems: as data and as lines. */
export function tell({ problems }: { readonly problems: readonly Problem[] }): void {
  JSON.stringify(problems);
  for (const problem of problems) showProblem(problem);
}

/** Does the work, and tells what is wrong where it fails. */
export async function attempt(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    tell(error);
  }
}

/** Kinds of text by name; the last column is the largest size, where it is not that of all. */
export type Texts = readonly (readonly [name: string, text: (size: number) => string, most?: number])[];

/** The rows of some texts that are worked on in one way. */
export const rowsOf = (kind: string, texts: Texts, work: (text: string) => unknown): GrowthRow[] =>
  texts.map(([name, text, most]) => row(`${kind}: ${name}`, text, work, most));
