import { nearest } from "../source/nearest.js";
import type { Report } from "../source/problem.js";
import { cellTypeNamed, cellTypeNames, cellTypes } from "../types/cell.js";
import { type Dimension, indexed, mapped, TensorType } from "../types/type.js";
import { problem } from "./messages.js";
import type { DimensionText, TypeText, Word } from "./tree.js";

/** Resolves the words of a type: in a function, each of them may be a parameter. */
export interface WordResolver {
  readonly name: (word: Word) => Word;
  readonly size: (word: Word) => number | undefined;
}

/** Words as they are, and sizes that are numbers. */
export const plainWords: WordResolver = { name: (word) => word, size: ({ text }) => sizeOf(text) };

/** A text as a whole number from 1 to 2147483647, if it is one. */
export function sizeOf(text: string): number | undefined {
  const size = /^\d+$/.test(text) ? Number(text) : 0;
  return size >= 1 && size <= 0x7fffffff ? size : undefined;
}

/** The tensor type of a type as written; undefined, and the mistakes reported, where it has some. */
export function typeOf(text: TypeText, resolver: WordResolver, report: Report): TensorType | undefined {
  const cellType = text.cellType === undefined ? "double" : cellTypeOf(resolver.name(text.cellType), report);
  const dimensions = text.dimensions.map((each) => dimensionOf(each, resolver, report));
  const previousByName = new Map<string, DimensionText>();
  let unique = true;
  for (const [at, each] of text.dimensions.entries()) {
    const name = dimensions[at]?.name ?? each.name.text;
    const previous = previousByName.get(name);
    if (previous !== undefined) {
      const related = [{ span: previous.span, label: "first here" }];
      report(problem("type/duplicate-dimension", each.span, { dimension: name }, related));
      unique = false;
    }
    previousByName.set(name, each);
  }
  const complete = dimensions.filter((each) => each !== undefined);
  if (cellType === undefined || !unique || complete.length < dimensions.length) return undefined;
  return TensorType.of(cellType, complete);
}

/** The cell type that a word names; Vespa lacks some. */
export function cellTypeOf(word: Word, report: Report) {
  const cellType = cellTypeNamed(word.text);
  if (cellType === undefined) {
    const values = { name: word.text, nearest: nearest(word.text, cellTypeNames) };
    report(problem("type/cell-type", word.span, values));
  } else if (!cellTypes[cellType].vespa || word.text === "byte")
    report(problem("type/cell-type-vespa", word.span, { name: word.text }));
  return cellType;
}

function dimensionOf(text: DimensionText, resolver: WordResolver, report: Report): Dimension | undefined {
  const { text: name } = resolver.name(text.name);
  if (text.kind === "mapped") return mapped(name);
  if (text.size === undefined) return indexed(name);
  const size = resolver.size(text.size);
  if (size === undefined)
    report(problem("type/dimension-size", text.size.span, { dimension: name, size: text.size.text }));
  return size === undefined ? undefined : indexed(name, size);
}
