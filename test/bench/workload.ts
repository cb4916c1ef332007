import type { FunctionOfInputs } from "../../src/index.js";
import type { Draw } from "./draw.js";
import type { Inputs } from "./inputs.js";
import type { Graph } from "./onnx.js";
import type { Jax, JaxArray } from "./peers/jax.js";
import type { Tf, TfTensor } from "./peers/tensorflow.js";

/** What is measured: an expression on data, and how others compute the same. */
export interface Workload {
  readonly name: string;
  readonly expression: string;
  readonly inputs: (draw: Draw) => Inputs;
  /** Inputs that `prepare` is given; the others are given to each run. */
  readonly fixed?: readonly string[];
  /** How many threads we have; one unless it is said. Peers have one in any case. */
  readonly threads?: number;
  /** How the program is called as a function of its inputs, in their order, to be timed as that too; its result must be a number. */
  readonly asFunction?: (call: FunctionOfInputs, inputs: Inputs) => () => number;
  readonly peers: Peers;
  readonly targets?: readonly Target[];
  /** How far answers may be apart, relative to the largest; 1e-12 where cells are double, 1e-5 otherwise. */
  readonly tolerance?: number;
  /** The same for peers that are less exact. */
  readonly tolerances?: Readonly<Partial<Record<PeerName, number>>>;
}

/** How each peer does it. All are given the inputs once, and timed for a whole call with a new result. */
export interface Peers {
  /** Plain JavaScript over typed arrays, or over what else a programmer would take. */
  readonly loop?: (inputs: Inputs) => () => Answer;
  /** Expressions of Python; `before` is done once. Inputs have their names, ids are `name_dimension`. */
  readonly numpy?: PythonCode;
  readonly scipy?: PythonCode;
  readonly onnx?: (inputs: Inputs) => Graph;
  readonly tfjs?: (tf: Tf, inputs: Inputs) => () => TfTensor;
  readonly jax?: (jax: Jax, inputs: Inputs) => () => JaxArray;
}

export type PeerName = keyof Peers;
export type PythonCode =
  | string
  | {
      readonly before: string;
      readonly run: string;
      /** What is compared, where that is not what is timed: with its cells in our order. */
      readonly answer?: string;
    };

/** What a peer found: all cells in the canonical order of our result, or by their labels. */
export type Answer = number | ArrayLike<number> | ReadonlyMap<string, number>;

/** Whom time is compared with: one peer, or the fastest of those that are no native code. */
export type Against = PeerName | "scripts";
export const scripts: readonly PeerName[] = ["loop", "tfjs", "jax"];

/** A bound: of the ratio of our time to that of a peer, or of our time in microseconds. It is that of a prepared run, or of another way. */
export type Target =
  | { readonly of?: string; readonly against: Against; readonly wide: number; readonly plain: number }
  | { readonly microseconds: number };
