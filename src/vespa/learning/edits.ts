import type { Source, Span } from "../../language/source/span.js";
import type { Learnt } from "./learn.js";
import { learntText, type Parameter } from "./parameters.js";

/** A file of a package with learnt numbers in it. */
export interface EditedFile {
  readonly source: Source;
  readonly text: string;
}

/** The files that have learnt numbers, with the new ones in the place of the old, and nothing else changed. */
export function editedFiles(learnt: Pick<Learnt, "parameters" | "numbers">): readonly EditedFile[] {
  const edits = new Map<Source, { readonly span: Span; readonly text: string }[]>();
  for (const { parameter, cells } of learntCells(learnt)) {
    const text = learntText(parameter, cells);
    const { written } = parameter;
    if (text === undefined) throw new Error(`${parameter.name} had places for its numbers`);
    edits.set(written.source, [...(edits.get(written.source) ?? []), { span: written, text }]);
  }
  return [...edits].map(([source, own]) => {
    const last = own.sort((one, other) => other.span.start - one.span.start);
    const text = last.reduce(
      (whole, { span, text: next }) => whole.slice(0, span.start) + next + whole.slice(span.end),
      source.text,
    );
    return { source, text };
  });
}

/** The numbers of each parameter. */
export function learntCells({ parameters, numbers }: Pick<Learnt, "parameters" | "numbers">): {
  readonly parameter: Parameter;
  readonly cells: Float64Array;
}[] {
  let start = 0;
  return parameters.map((parameter) => {
    const cells = numbers.slice(start, start + parameter.initial.data.length);
    start += cells.length;
    return { parameter, cells };
  });
}
