import type { Draft, MakeStep, StepTable } from "../draft.js";

/** Steps that read or write elements at indexes which are data. */

/** Indexes of an axis of this size, as an input or constant. */
function indexes(draft: Draft, shape: readonly number[], size: number, isSigned = true): string {
  const count = shape.reduce((all, each) => all * each, 1);
  const numbers = Array.from({ length: count }, () => draft.choice.between(isSigned ? -size : 0, size - 1));
  const name = draft.constant(numbers, draft.choice.percent(70) ? "int64" : "int32", shape);
  return draft.choice.percent(50) ? name : asInput(draft, name);
}

/** A constant that is an input instead. */
function asInput(draft: Draft, name: string): string {
  draft.inputs.set(name, draft.value(name));
  draft.constants.delete(name);
  return name;
}

const gather: MakeStep = (draft, x) => {
  if (draft.rank(x) === 0) return undefined;
  const axis = draft.axis(x);
  const shape = draft.choice.oneOf([[], [1], [2], [1, 3], [2, 2]]);
  return {
    operator: "Gather",
    inputs: [x, indexes(draft, shape, draft.sizeAt(x, axis))],
    attributes: { axis },
  };
};

const gatherElements: MakeStep = (draft, x) => {
  if (draft.rank(x) === 0) return undefined;
  const axis = draft.axis(x);
  const shape = draft.shape(x).map((size) => draft.choice.between(1, size));
  return {
    operator: "GatherElements",
    inputs: [x, indexes(draft, shape, draft.sizeAt(x, axis))],
    attributes: { axis },
  };
};

/** Indexes of the first axes, each smaller than the axis. */
function tuples(
  draft: Draft,
  x: string,
  count: number,
  depth: number,
  outer: readonly number[] = [],
): string {
  const sizes = draft.shape(x).slice(outer.length, outer.length + depth);
  const rows = outer.reduce((all, each) => all * each, 1) * count;
  const numbers = Array.from({ length: rows }, () =>
    sizes.map((size) => draft.choice.between(-size, size - 1)),
  ).flat();
  const name = draft.constant(numbers, "int64", [...outer, count, depth]);
  return draft.choice.percent(50) ? name : asInput(draft, name);
}

const gatherND: MakeStep = (draft, x) => {
  const rank = draft.rank(x);
  if (rank === 0) return undefined;
  const batch = draft.choice.percent(25) ? draft.choice.between(0, rank - 1) : 0;
  const depth = draft.choice.between(1, rank - batch);
  const outer = draft.shape(x).slice(0, batch);
  return {
    operator: "GatherND",
    inputs: [x, tuples(draft, x, draft.choice.between(1, 3), depth, outer)],
    attributes: { batch_dims: batch },
  };
};

const scatterElements: MakeStep = (draft, x) => {
  if (draft.rank(x) === 0) return undefined;
  const { choice } = draft;
  const axis = draft.axis(x);
  const at = axis < 0 ? axis + draft.rank(x) : axis;
  const size = draft.sizeAt(x, axis);
  const reduction = choice.oneOf([
    "none",
    ...(draft.opset >= 16 ? ["add", "mul"] : []),
    ...(draft.opset >= 18 ? ["max", "min"] : []),
  ]);
  const shape = draft.shape(x).map((each) => choice.between(1, each));
  // Of two updates of one element any may win.
  if (reduction === "none") shape[at] = 1;
  return {
    operator: "ScatterElements",
    inputs: [x, indexes(draft, shape, size), draft.alike(x, shape)],
    attributes: reduction === "none" ? { axis } : { axis, reduction },
  };
};

const scatterND: MakeStep = (draft, x) => {
  const { choice } = draft;
  const rank = draft.rank(x);
  if (rank === 0) return undefined;
  const depth = choice.between(1, rank);
  const reduction = choice.oneOf([
    "none",
    ...(draft.opset >= 16 ? ["add", "mul"] : []),
    ...(draft.opset >= 18 ? ["max", "min"] : []),
  ]);
  const count = reduction === "none" ? 1 : choice.between(1, 3);
  return {
    operator: "ScatterND",
    inputs: [x, tuples(draft, x, count, depth), draft.alike(x, [count, ...draft.shape(x).slice(depth)])],
    attributes: reduction === "none" ? {} : { reduction },
  };
};

export const indexingSteps: StepTable = {
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherND,
  ScatterElements: scatterElements,
  ScatterND: scatterND,
  TopK: (draft, x) => {
    if (draft.rank(x) === 0) return undefined;
    const axis = draft.axis(x);
    return {
      operator: "TopK",
      inputs: [x, draft.integers(draft.choice.between(1, draft.sizeAt(x, axis)))],
      attributes: { axis, largest: draft.choice.below(2) },
      outputs: [draft.value(x).element, "int64"],
      hasJumps: true,
    };
  },
  OneHot: (draft, x) => ({
    operator: "OneHot",
    inputs: [x, draft.scalar(3, "int64"), draft.constant([0.5, 2], "float")],
    attributes: { axis: draft.choice.between(-draft.rank(x) - 1, draft.rank(x)) },
    outputs: ["float"],
    hasJumps: true,
  }),
};
