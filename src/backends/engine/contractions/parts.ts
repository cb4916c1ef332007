import type { Code } from "../assembler/code.js";
import { count, inPieces, lesser } from "../kernels/iteration.js";
import { byteOffset, field, locals } from "./descriptor.js";

/** What a part is: rows of one product of the batch, and where that product's operands and target begin. */
export interface PartLocals {
  readonly leftAt: number;
  readonly rightAt: number;
  readonly targetAt: number;
  readonly row: number;
  readonly rows: number;
}

/**
 * Goes through parts. The function's parameters begin with the descriptor, the first part, the end, and the addresses of
 * the left operand, the right one and the target.
 */
export function forEachPart(
  code: Code,
  shifts: { readonly left: number; readonly right: number | "packed"; readonly target: number },
  body: (locals: PartLocals) => void,
): void {
  const [first, end, left, right, target] = [1, 2, 3, 4, 5];
  const [part, parts, batch, row, rows, leftAt, rightAt, targetAt] = locals(code, 8);
  code.get(end).get(first).do("i32.sub").set(parts);
  count(code, { counter: part, limit: () => code.get(parts) }, () => {
    code.get(first).get(part).do("i32.add");
    field(code, "panels").do("i32.div_u").set(batch);
    code.get(first).get(part).do("i32.add");
    field(code, "panels").do("i32.rem_u");
    field(code, "panelRows").do("i32.mul").set(row);
    field(code, "rows").get(row).do("i32.sub").set(rows);
    lesser(
      code,
      () => field(code, "panelRows"),
      () => code.get(rows),
    ).set(rows);
    code.get(left);
    byteOffset(code, "left", "batch", shifts.left, () => code.get(batch))
      .do("i32.add")
      .set(leftAt);
    code.get(right);
    if (shifts.right === "packed") field(code, "packedBatch").get(batch).do("i32.mul");
    else byteOffset(code, "right", "batch", shifts.right, () => code.get(batch));
    code.do("i32.add").set(rightAt);
    code.get(target);
    byteOffset(code, "target", "batch", shifts.target, () => code.get(batch))
      .do("i32.add")
      .set(targetAt);
    body({ leftAt, rightAt, targetAt, row, rows });
  });
}

/** Walks along the sum in steps of the packing's depth. */
export const forEachDepth = (code: Code, from: number, depth: number, body: () => void): void =>
  inPieces(
    code,
    { from, length: depth, limit: () => field(code, "sum"), most: () => field(code, "depth") },
    body,
  );
