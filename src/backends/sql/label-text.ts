import type { Node } from "../../language/core/operations.js";
import type { LoweringContext } from "./context.js";
import { problem } from "./messages.js";
import { refuse } from "./unsupported.js";

/** A label as a text of the dialect. */
export function labelText({ dialect }: LoweringContext, node: Node, label: string): string {
  const text = isWellFormed(label) ? dialect.text(label) : undefined;
  return text ?? refuse(problem("sql/label", node.span, { dialect: dialect.title, label }));
}

/** Whether a text can be written as UTF-8: half a pair of surrogates cannot. */
const isWellFormed = (text: string): boolean =>
  Array.from(text).every((each) => each.length > 1 || (each.charCodeAt(0) & 0xf800) !== 0xd800);
