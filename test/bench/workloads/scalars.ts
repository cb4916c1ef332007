import { Draw } from "../draw.js";
import { type Cells, dense, type Input, type Inputs, number } from "../inputs.js";
import type { Workload } from "../workload.js";

/** Expressions over scalars: one of a few operations, and a forest of decision trees. */

const cellOf = (input: Input | undefined): number => input?.cells[0] ?? 0;

const scalar: Workload = {
  name: "if(a>b,a+b*3,exp(c))*2",
  expression: "if(a > b, a + b * 3, exp(c)) * 2",
  inputs: () => ({ a: number(0.25), b: number(0.5), c: number(0.75) }),
  peers: {
    loop: (inputs) => {
      const read = numbersOf(inputs);
      return () => byHand(read());
    },
  },
  asFunction: (call, inputs) => {
    const read = numbersOf(inputs);
    return () => {
      const { a, b, c } = read();
      return call(a, b, c);
    };
  },
  targets: [
    { against: "loop", wide: 5, plain: 5 },
    { of: "ours, as a function", against: "loop", wide: 2, plain: 2 },
  ],
};

interface Numbers {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** Reads the inputs anew for each call: what never changes would be computed once. */
function numbersOf(inputs: Inputs): () => Numbers {
  const cells = [inputs.a, inputs.b, inputs.c].map((each) => each?.cells ?? new Float64Array());
  const [a, b, c] = cells as [Cells, Cells, Cells]; // of three
  return () => ({ a: a[0] as number, b: b[0] as number, c: c[0] as number });
}

function byHand({ a, b, c }: Numbers): number {
  return (a > b ? a + b * 3 : Math.exp(c)) * 2;
}

const [trees, leaves, features] = [1000, 64, 100];

/** A full tree in packed arrays: node `n` has the children `2n+1` and `2n+2`, and leaves come last. */
interface Forest {
  readonly feature: Int32Array;
  readonly threshold: Float64Array;
  readonly leaf: Float64Array;
}

const inner = leaves - 1;

function forestOf(draw: Draw): Forest {
  return {
    feature: Int32Array.from({ length: trees * inner }, () => draw.below(features)),
    threshold: draw.doubles(trees * inner),
    leaf: draw.doubles(trees * leaves),
  };
}

function treeText(forest: Forest, tree: number, node: number, name: (feature: number) => string): string {
  if (node >= inner) return `${forest.leaf[tree * leaves + node - inner]}`;
  const at = tree * inner + node;
  const [low, high] = [2 * node + 1, 2 * node + 2].map((child) => treeText(forest, tree, child, name));
  return `if(${name(forest.feature[at] ?? 0)} < ${forest.threshold[at]}, ${low}, ${high})`;
}

function forest(kind: string, name: (feature: number) => string, inputs: (draw: Draw) => Inputs): Workload {
  const made = forestOf(new Draw(7));
  const texts = Array.from({ length: trees }, (_, tree) => treeText(made, tree, 0, name));
  return {
    name: `forest of ${trees} trees × ${leaves} leaves, ${kind}`,
    expression: texts.join(" + "),
    inputs,
    peers: { loop: (inputs) => forestLoop(made, inputs) },
    targets: [{ against: "loop", wide: 1.5, plain: 1.5 }],
  };
}

function forestLoop({ feature, threshold, leaf }: Forest, inputs: Inputs): () => number {
  const names = Array.from({ length: features }, (_, at) => `f${at}`);
  const values = inputs.x?.cells ?? Float64Array.from(names, (name) => cellOf(inputs[name]));
  return () => {
    let sum = 0;
    for (let tree = 0; tree < trees; tree++) {
      const first = tree * inner;
      let node = 0;
      while (node < inner) {
        const at = first + node;
        const isLow = (values[feature[at] as number] as number) < (threshold[at] as number);
        node = 2 * node + (isLow ? 1 : 2);
      }
      sum += leaf[tree * leaves + node - inner] as number;
    }
    return sum;
  };
}

const oneByOne = (draw: Draw): Inputs =>
  Object.fromEntries(Array.from({ length: features }, (_, at) => [`f${at}`, number(draw.next() * 2 - 1)]));

/** A tree of so many levels, whose conditions compare numbers with each other. */
const levels = 13;

function conditionText(draw: Draw): string {
  const [a, b, c] = [draw.below(20), draw.below(20), draw.below(20)];
  return `f${a} < f${b} && f${c} > ${draw.next().toFixed(3)}`;
}

function comparing(draw: Draw, level: number): string {
  if (level === 0) return draw.next().toFixed(4);
  return `if(${conditionText(draw)}, ${comparing(draw, level - 1)}, ${comparing(draw, level - 1)})`;
}

const comparingTree = (): Workload => ({
  name: `tree of ${levels} levels, a<b && c>0.5`,
  expression: comparing(new Draw(11), levels),
  inputs: oneByOne,
  peers: {},
  targets: [{ microseconds: 5 }],
});

/** Made when it is asked for: its text has a megabyte. */
export const scalars = (): readonly Workload[] => [
  scalar,
  comparingTree(),
  forest(`${features} scalar inputs`, (feature) => `f${feature}`, oneByOne),
  forest(
    "one tensor of inputs",
    (feature) => `x{i:${feature}}`,
    (draw) => ({
      x: dense(`tensor(i[${features}])`, draw.doubles(features)),
    }),
  ),
];
