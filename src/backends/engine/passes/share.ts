import type { Node } from "../../../language/core/operations.js";
import { weightOf } from "../values/source.js";
import type { Value } from "../values/value.js";
import type { PassState } from "./pass-state.js";

/** The value of a node, and how often it is used: by others, or as a result. */
export interface UsedValue {
  readonly node: Node;
  readonly value: Value;
  readonly uses: number;
}

/** Up to this weight a cell is as quickly computed as read. */
const lightWeight = 4;

/** Stores what several loops would compute again, unless it is as quickly computed as read. */
export function share({ node, value, uses }: UsedValue, { storage }: PassState): Value {
  const isShared = uses > 1 && node.depends === 0;
  if (!isShared || weightOf(value.source) <= lightWeight) return value;
  return storage.store(value, node.type.cellType, node.span);
}
