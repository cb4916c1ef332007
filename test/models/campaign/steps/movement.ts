import type { MakeStep, StepTable } from "../draft.js";

/** Steps that move elements. */

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

const reshape: MakeStep = (draft, x) => {
  const { choice } = draft;
  const shape = draft.shape(x);
  const size = product(shape);
  const targets = [[size], [-1], [1, -1], [-1, 1, 1]];
  for (const divisor of [1, 2, 3, 4, 6]) {
    if (size % divisor !== 0) continue;
    targets.push([divisor, size / divisor], [divisor, -1], [-1, divisor], [1, divisor, size / divisor]);
    targets.push([divisor, 1, -1]);
  }
  if (shape.length > 0) targets.push([0, -1]);
  if (shape.length > 1) targets.push([-1, shape.at(-1) ?? 1], [0, 0, -1], [0, -1, 1]);
  return { operator: "Reshape", inputs: [x, draft.integers(...choice.oneOf(targets))] };
};

const slice: MakeStep = (draft, x) => {
  const { choice } = draft;
  const rank = draft.rank(x);
  if (rank === 0) return undefined;
  const axes = choice.percent(70) ? [draft.axis(x)] : Array.from({ length: rank }, (_, axis) => axis);
  const rows = axes.map((axis) => {
    const size = draft.sizeAt(x, axis);
    const step = choice.oneOf([1, 1, 1, 2, 3, -1, -2]);
    const [near, far] = [
      choice.between(-size - 1, size + 1),
      choice.oneOf([2 ** 40, size, -1, 1, -size - 2, -(2 ** 40)]),
    ];
    const [start, end] = step > 0 ? [near, far] : [far, near];
    return { axis, step, start, end };
  });
  const list = (key: "axis" | "step" | "start" | "end"): string =>
    draft.integers(...rows.map((each) => each[key]));
  const inputs = [x, list("start"), list("end"), list("axis")];
  return { operator: "Slice", inputs: choice.percent(80) ? [...inputs, list("step")] : inputs };
};

const pad: MakeStep = (draft, x) => {
  const { choice } = draft;
  const rank = draft.rank(x);
  if (rank === 0) return undefined;
  const mode = choice.oneOf(["constant", "edge", "reflect", ...(draft.opset >= 19 ? ["wrap"] : [])]);
  const axes = draft.opset >= 18 && choice.percent(30) ? [draft.axis(x)] : undefined;
  const count = axes?.length ?? rank;
  const pads = Array.from({ length: 2 * count }, (_, at) => {
    const size = draft.sizeAt(x, axes?.[at % count] ?? at % count);
    const most = mode === "reflect" || mode === "wrap" ? Math.max(0, size - 1) : 2;
    return choice.percent(10) && size > 2 ? -1 : choice.between(0, Math.min(2, most));
  });
  const value =
    mode === "constant" && choice.percent(60)
      ? draft.scalar(draft.value(x).element === "bool" ? 1 : 7, draft.value(x).element)
      : "";
  const inputs = [
    x,
    draft.integers(...pads),
    value,
    ...(axes === undefined ? [] : [draft.integers(...axes)]),
  ];
  return { operator: "Pad", inputs, attributes: { mode } };
};

const split: MakeStep = (draft, x) => {
  const { choice } = draft;
  const axis = draft.axis(x);
  const size = draft.sizeAt(x, axis);
  if (draft.rank(x) === 0 || size < 2) return undefined;
  const { element } = draft.value(x);
  if (draft.opset >= 18 && choice.percent(40)) {
    const parts = choice.between(2, size);
    return {
      operator: "Split",
      inputs: [x],
      attributes: { axis, num_outputs: parts },
      outputs: Array.from({ length: parts }, () => element),
    };
  }
  const first = choice.between(1, size - 1);
  return {
    operator: "Split",
    inputs: [x, draft.integers(first, size - first)],
    attributes: { axis },
    outputs: [element, element],
  };
};

const tile: MakeStep = (draft, x) => {
  const repeats = draft.shape(x).map(() => draft.choice.oneOf([1, 1, 2, 3]));
  return repeats.length === 0 ? undefined : { operator: "Tile", inputs: [x, draft.integers(...repeats)] };
};

const unsqueeze: MakeStep = (draft, x) => {
  const rank = draft.rank(x);
  if (rank > 4) return undefined;
  const count = draft.choice.between(1, 2);
  const axes = draft.choice
    .shuffled(Array.from({ length: rank + count }, (_, axis) => axis))
    .slice(0, count)
    .map((axis) => (draft.choice.percent(50) ? axis : axis - rank - count));
  return { operator: "Unsqueeze", inputs: [x, draft.integers(...axes)] };
};

const squeeze: MakeStep = (draft, x) => {
  const shape = draft.shape(x);
  const ones = shape.flatMap((size, axis) => (size === 1 ? [axis, axis - shape.length] : []));
  if (ones.length === 0) return undefined;
  return {
    operator: "Squeeze",
    inputs: draft.choice.percent(30) ? [x] : [x, draft.integers(draft.choice.oneOf(ones))],
  };
};

export const movementSteps: StepTable = {
  Reshape: reshape,
  Slice: slice,
  Pad: pad,
  Split: split,
  Tile: tile,
  Unsqueeze: unsqueeze,
  Squeeze: squeeze,
  Transpose: (draft, x) => ({
    operator: "Transpose",
    inputs: [x],
    attributes: draft.choice.percent(20)
      ? {}
      : { perm: draft.choice.shuffled(draft.shape(x).map((_, axis) => axis)) },
  }),
  Concat: (draft, x) => {
    if (draft.rank(x) === 0) return undefined;
    const axis = draft.axis(x);
    const at = axis < 0 ? axis + draft.rank(x) : axis;
    const other = draft.alike(
      x,
      draft.shape(x).map((size, each) => (each === at ? draft.choice.between(1, 3) : size)),
    );
    const inputs = draft.choice.shuffled([x, other, ...(draft.choice.percent(30) ? [x] : [])]);
    return { operator: "Concat", inputs, attributes: { axis } };
  },
  Flatten: (draft, x) => ({
    operator: "Flatten",
    inputs: [x],
    attributes: { axis: draft.choice.between(-draft.rank(x), draft.rank(x)) },
  }),
  Expand: (draft, x) => {
    const sizes = draft
      .shape(x)
      .map((size) => (size === 1 ? draft.choice.between(1, 3) : draft.choice.oneOf([1, size])));
    const outer = draft.choice.percent(30) ? [2] : [];
    const all = [...outer, ...sizes].slice(draft.choice.percent(15) ? 1 : 0);
    return all.length === 0 ? undefined : { operator: "Expand", inputs: [x, draft.integers(...all)] };
  },
  DepthToSpace: (draft, x) => ({
    operator: "DepthToSpace",
    inputs: [
      draft.alike(x, [
        draft.choice.between(1, 2),
        4 * draft.choice.between(1, 2),
        draft.choice.between(1, 3),
        2,
      ]),
    ],
    attributes: { blocksize: 2, mode: draft.choice.oneOf(["DCR", "CRD"]) },
  }),
  SpaceToDepth: (draft, x) => ({
    operator: "SpaceToDepth",
    inputs: [
      draft.alike(x, [
        draft.choice.between(1, 2),
        draft.choice.between(1, 3),
        2 * draft.choice.between(1, 2),
        4,
      ]),
    ],
    attributes: { blocksize: 2 },
  }),
  Trilu: (draft, x) => ({
    operator: "Trilu",
    inputs: draft.choice.percent(50) ? [x] : [x, draft.scalar(draft.choice.between(-2, 2), "int64")],
    attributes: { upper: draft.choice.below(2) },
  }),
  ReverseSequence: (draft, x) => {
    const [time = 1, batch = 1] = draft.shape(x);
    if (draft.rank(x) < 2) return undefined;
    const isSwapped = draft.choice.percent(50);
    const [most, count] = isSwapped ? [batch, time] : [time, batch];
    const lengths = Array.from({ length: count }, () => draft.choice.between(1, most));
    return {
      operator: "ReverseSequence",
      inputs: [x, draft.integers(...lengths)],
      attributes: { batch_axis: isSwapped ? 0 : 1, time_axis: isSwapped ? 1 : 0 },
    };
  },
  EyeLike: (draft, x) => ({
    operator: "EyeLike",
    inputs: [x],
    attributes: { k: draft.choice.between(-2, 2), dtype: 1 },
    outputs: ["float"],
  }),
  Shape: (draft, x) => ({
    operator: "Shape",
    inputs: [x],
    attributes: draft.opset >= 15 && draft.choice.percent(50) ? { start: draft.choice.between(-2, 2) } : {},
    outputs: ["int64"],
  }),
  Size: (_, x) => ({ operator: "Size", inputs: [x], outputs: ["int64"] }),
  ConstantOfShape: (draft, x) =>
    draft.value(x).element !== "int64" || !draft.constants.has(x)
      ? undefined
      : {
          operator: "ConstantOfShape",
          inputs: [x],
          attributes: { value: { tensor: { element: "float", shape: [1], numbers: [2.5] } } },
          outputs: ["float"],
        },
};
