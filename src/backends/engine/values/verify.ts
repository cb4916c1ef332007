import { scalarFunctions } from "../../../language/scalar/functions.js";
import { element } from "../../../language/values/element.js";
import { depthOf, sizeOf, weightOf } from "./source.js";
import type { Axis, AxisImage, Computed, Operand, ScalarOperation, Source } from "./value.js";

/**
 * Sees that a source is sound over axes of these sizes: every part has the axes that it is viewed through, an operation the
 * operands that it needs, and a row of a table is for each index. What is wrong is a defect of Sphex.
 * @throws Error which says what.
 */
export function verifySource(root: Source, sizes: readonly number[]): void {
  if (root.kind === "computed") verifySizes(root, sizes);
  const verified = new Set<Source>();
  const open = [{ source: root, axes: sizes.length }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { source, axes } = next;
    verifyAxes(source, axes);
    if (source.kind !== "computed" || verified.has(source)) continue;
    verified.add(source);
    verifyOperands(source);
    for (const operand of source.operands) {
      verifyImages(operand, source.axes);
      open.push({ source: operand.source, axes: operand.images?.length ?? source.axes.length });
    }
  }
}

/** Whether a source has so many axes as it is seen through. */
function verifyAxes(source: Source, axes: number): void {
  switch (source.kind) {
    case "constant":
      return;
    case "index":
      if (source.axis >= axes) fail("an index is along an axis that is not there");
      return;
    case "stored":
      if (source.access.strides.length !== axes) fail("stored cells have other axes than what reads them");
      return;
    case "computed":
      if (source.axes.length !== axes) fail("an operand has other axes than it is viewed through");
  }
}

/** A loop may end before a source does, since indexed dimensions of different sizes overlap. */
function verifySizes({ axes }: Computed, sizes: readonly number[]): void {
  if (axes.some(({ size }, at) => size < element(sizes, at)))
    fail("a loop goes further than what it computes");
}

/** The operands of each operation that is no scalar function. */
const operandCounts: Readonly<Record<Exclude<ScalarOperation["op"], "apply">, number>> = {
  select: 3,
  store: 1,
  view: 1,
};

function verifyOperands(source: Computed): void {
  const { operation, operands } = source;
  const expected =
    operation.op === "apply"
      ? scalarFunctions[operation.function].parameters.length
      : operandCounts[operation.op];
  if (operands.length !== expected)
    fail(`${operation.op} has ${operands.length} operands instead of ${expected}`);
  const [weight, size, depth] = operands.reduce<readonly [weight: number, size: number, depth: number]>(
    ([weights, sizes, depths], { source: each }) => [
      weights + weightOf(each),
      sizes + sizeOf(each),
      Math.max(depths, depthOf(each)),
    ],
    [0, 1, 0],
  );
  if (source.weight < weight || source.size !== size || source.depth !== depth + 1)
    fail("an operation has another weight, size or depth than its operands make");
}

function verifyImages({ images }: Operand, axes: readonly Axis[]): void {
  for (const image of images ?? []) verifyImage(image, axes);
}

function verifyImage(image: AxisImage, axes: readonly Axis[]): void {
  if ("at" in image) {
    if (!(image.at >= 0)) fail("an axis is viewed at no index");
    return;
  }
  const axis = axes[image.axis];
  if (axis === undefined) fail("an image is an axis that is not there");
  if (image.rows !== undefined && image.rows.length < axis.size) fail("a table has no row for some indexes");
}

function fail(reason: string): never {
  throw new Error(`a value is not sound: ${reason}`);
}
