import { featureName } from "../language/check/names.js";
import type { Span } from "../language/source/span.js";
import { partsOf } from "../language/syntax/parts.js";
import type { Argument } from "../language/syntax/tree.js";
import { type Analysis, holds, rootOf } from "./analysis.js";

/** A name of a text that its host gives a meaning, where it stands. */
export interface ExternalName {
  /** Canonical: `query(q)`. */
  readonly name: string;
  readonly span: Span;
}

/** The names in a text that are among those of its host, and not bound by the text itself. */
export function externalNames(
  { tree, symbols }: Analysis,
  names: ReadonlySet<string>,
): readonly ExternalName[] {
  const own = new Set(symbols.occurrences.map(({ span }) => span.start));
  const found: ExternalName[] = [];
  for (const statement of tree.statements) {
    const root = rootOf(statement);
    const open: Argument[] = root === undefined ? [] : [root];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const name = next.kind === "reference" ? featureName(next) : undefined;
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
