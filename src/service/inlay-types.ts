import type { Analysis } from "./analysis.js";
import { nameOf } from "./symbols.js";

/** A type that is shown behind a name, but stands in no text. */
export interface InlayType {
  readonly offset: number;
  /** `: tensor(x[3])` */
  readonly text: string;
}

/** The types of the names that do not say theirs: values, and what is declared by its value alone. */
export function inlayTypes(analysis: Analysis): readonly InlayType[] {
  return analysis.tree.statements.flatMap((statement) => {
    if (statement.kind !== "declaration" && statement.kind !== "definition") return [];
    const saysNone =
      statement.kind === "definition" ? statement.parameters === undefined : statement.type === undefined;
    const type = saysNone ? analysis.typeNamed(nameOf(statement)) : undefined;
    return type === undefined ? [] : [{ offset: statement.name.span.end, text: `: ${type}` }];
  });
}
