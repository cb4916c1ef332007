import { featureName } from "../language/check/names.js";
import type { Span } from "../language/source/span.js";
import { partsOf, rootOf } from "../language/syntax/parts.js";
import type { Argument, Reference } from "../language/syntax/tree.js";
import { type Analysis, holds } from "./analysis.js";

/** A name of a text that its host gives a meaning, where it stands. */
export interface ExternalName {
  /** Canonical: `query(q)`. */
  readonly name: string;
  readonly span: Span;
}

/** The names in a text that are among those of its host, and neither bound by the text itself nor the words of dimensions. */
export function externalNames(analysis: Analysis, names: ReadonlySet<string>): readonly ExternalName[] {
  const { tree, symbols, problems } = analysis;
  const own = new Set(symbols.occurrences.map(({ span }) => span.start));
  const isSound = problems.every(({ isError }) => !isError);
  /**
   * Whether a bare word among arguments is no name, but that of a dimension or an aggregator: it has no type, and needs none. Of a
   * text with errors nobody can say, and what would be renamed is renamed.
   */
  const isWord = (tree: Reference): boolean =>
    isSound &&
    tree.arguments === undefined &&
    tree.grouped === undefined &&
    analysis.typeOf(tree) === undefined;
  const found: ExternalName[] = [];
  for (const statement of tree.statements) {
    const root = rootOf(statement);
    const open: Argument[] = root === undefined ? [] : [root];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const name = next.kind === "reference" && !isWord(next) ? featureName(next) : undefined;
      if (name !== undefined && names.has(name) && !own.has(next.span.start))
        found.push({ name, span: next.span });
      else for (const part of partsOf(next).toReversed()) open.push(part.tree);
    }
  }
  return found;
}

export const externalNameAt = (
  analysis: Analysis,
  names: ReadonlySet<string>,
  offset: number,
): ExternalName | undefined => externalNames(analysis, names).find(({ span }) => holds(span, offset));
