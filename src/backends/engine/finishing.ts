import { element } from "../../language/values/element.js";
import type { Access, Instruction, Loop } from "./loop.js";

/**
 * A loop with a finish as two: the first folds, and the second reads what that has stored, and stores what becomes of it
 * in the same cells.
 */
export function unfinished<Cells, Table>(
  loop: Loop<Cells, Table>,
): readonly [Loop<Cells, Table>, Loop<Cells, Table>] {
  const { axes, sources, target, finish = [] } = loop;
  const isRetained = axes.map(({ isReduced }) => !isReduced);
  const access = (from: Access<Cells, Table>): Access<Cells, Table> => ({
    ...from,
    strides: from.strides.filter((_, axis) => isRetained[axis]),
  });
  const second: Loop<Cells, Table> = {
    axes: axes.filter((_, axis) => isRetained[axis]),
    sources: [...sources, target].map(access),
    body: [{ op: "read", source: sources.length }, ...finish],
    target: access(target),
  };
  return [withSourcesRead({ ...loop, finish: undefined }), withSourcesRead(second)];
}

/** The loop without sources that its body does not read. */
function withSourcesRead<Cells, Table>(loop: Loop<Cells, Table>): Loop<Cells, Table> {
  const read = [...new Set(loop.body.flatMap((each) => (each.op === "read" ? [each.source] : [])))];
  const sources = read.map((source) => element(loop.sources, source));
  const body = loop.body.map(
    (each): Instruction => (each.op === "read" ? { ...each, source: read.indexOf(each.source) } : each),
  );
  return { ...loop, sources, body };
}
