import { SphexError, type Tensor } from "../../../src/index.js";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import { isWhole } from "../../../src/models/onnx/file/element-type.js";
import { ImportFailure } from "../../../src/models/onnx/importer.js";
import { Choice } from "../../hunt/choice.js";
import { differenceOf } from "../onnx/imported.js";
import { namedSize } from "./draft.js";
import { type Graph, graphText, needed } from "./graph.js";
import { type Made, madeGraph, type Size } from "./make.js";
import type { Oracle } from "./oracle.js";
import { type Inputs, namedWays, portOf, type Way, ways } from "./ways.js";
import { modelBytes } from "./write.js";

/** What became of a graph. */
export type Looked =
  | { readonly kind: "agrees"; readonly graph: Graph }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reason: string; readonly graph: Graph }
  | { readonly kind: "differs"; readonly difference: Difference };

export interface Difference {
  readonly way: string;
  readonly message: string;
  readonly made: Made;
}

type Values = ReadonlyMap<string, Constant>;

/** Graphs by chance, computed in all ways that there are, against ONNX Runtime. */
export class Campaign {
  constructor(
    private readonly oracle: Oracle,
    private readonly size: Size = "small",
  ) {}

  async look(seed: number): Promise<Looked> {
    const made = await madeGraph(seed, this.oracle, this.size);
    if (made === undefined) return { kind: "none" };
    const { graph } = made;
    for (const way of ways.filter(({ isSlow }) => isSlow !== true || this.size !== "large")) {
      const found = await this.compared(way, graph, [[graph.inputs, made.values]]);
      if (typeof found === "object") return { kind: "refused", reason: found.refused, graph };
      if (found !== undefined)
        return { kind: "differs", difference: { way: way.name, message: found, made } };
    }
    const isNamed = [...graph.inputs.values()].some(({ shape }) => shape.includes(namedSize));
    return isNamed ? await this.resized(made, seed) : { kind: "agrees", graph };
  }

  /** The same model with another size of the axis that has a name, and then again with the first. */
  private async resized(made: Made, seed: number): Promise<Looked> {
    const { graph } = made;
    const agrees: Looked = { kind: "agrees", graph };
    const other = await this.withSize(graph, new Choice(seed).oneOf([1, 2, 7]));
    if (other === undefined) return agrees;
    // Whatever has another size then is declared by a name.
    const outputs = new Map(
      [...graph.outputs].map(([name, port]) => {
        const changed = other.values.get(name)?.shape;
        const shape = (port.shape ?? []).map((size, axis) =>
          changed?.[axis] === size
            ? size
            : size === namedSize && changed?.[axis] === other.size
              ? "n"
              : `${name}_${axis}`,
        );
        return [name, { ...port, shape }] as const;
      }),
    );
    const runs: readonly Run[] = [
      [graph.inputs, made.values],
      [other.inputs, other.values],
      [graph.inputs, made.values],
    ];
    for (const way of namedWays) {
      const found = await this.compared(way, { ...graph, outputs }, runs);
      if (typeof found === "object") continue;
      if (found !== undefined)
        return { kind: "differs", difference: { way: way.name, message: found, made } };
    }
    return agrees;
  }

  private async withSize(
    graph: Graph,
    size: number,
  ): Promise<{ readonly size: number; readonly inputs: Inputs; readonly values: Values } | undefined> {
    const inputs = new Map(
      [...graph.inputs].map(([name, { element, shape, numbers }]) => {
        const sizes = shape.map((each) => (each === namedSize ? size : each));
        const count = sizes.reduce((all, each) => all * each, 1);
        const cells = [...numbers];
        const repeated = Array.from({ length: count }, (_, at) => cells[at % cells.length] ?? 0);
        return [name, { element, shape: sizes, numbers: repeated }] as const;
      }),
    );
    const ports = [...graph.outputs].map(([name, { element }]) => [name, { element }] as const);
    try {
      const values = await this.oracle.run({ ...graph, inputs, outputs: new Map(ports) });
      return { size, inputs, values };
    } catch {
      return undefined;
    }
  }

  /** How a way differs, or why it has no value. */
  private async compared(
    way: Way,
    graph: Graph,
    runs: readonly Run[],
  ): Promise<string | Refused | undefined> {
    let results: readonly (readonly Tensor[])[];
    try {
      results = await way.run(
        graph,
        runs.map(([inputs]) => inputs),
      );
    } catch (error) {
      if (error instanceof ImportFailure) return { refused: `${error.node?.opType}: ${error.message}` };
      if (!(error instanceof SphexError)) return `${error instanceof Error ? error.stack : error}`;
      const [problem] = error.problems;
      if (problem === undefined) return "no problem";
      const isRefused = way.isNamed === true && problem.code.startsWith("model/");
      return isRefused ? { refused: problem.message } : `${problem.code}: ${problem.message}`;
    }
    for (const [run, [, values]] of runs.entries())
      for (const [at, [name, port]] of [...graph.outputs].entries()) {
        const [expected, actual] = [values.get(name), results[run]?.[at]];
        if (expected === undefined || actual === undefined) return `no output ${name}`;
        const found = differenceOf(
          portOf(name, port, expected),
          actual,
          expected,
          toleranceFor(expected, values),
        );
        if (found !== undefined) return `${name}, run ${run}: ${found}`;
      }
    return undefined;
  }

  /** What differs, with as few steps as were found. */
  async told(difference: Difference): Promise<Difference> {
    const { way: name, made } = difference;
    const way = ways.find((each) => each.name === name);
    let small = made;
    let message = "";
    if (way === undefined) return difference;
    const isStill = async (graph: Graph): Promise<boolean> => {
      const found = await this.compared(way, graph, [[graph.inputs, made.values]]);
      if (typeof found !== "string") return false;
      [small, message] = [{ ...made, graph }, found];
      return true;
    };
    await isStill(made.graph);
    for (const output of made.graph.outputs)
      if (await isStill(needed({ ...small.graph, outputs: new Map([output]) }))) break;
    for (const step of made.graph.steps) await isStill(cut(small, step.outputs));
    for (const step of [...small.graph.steps]) await isStill(endingWith(small, step.outputs));
    return { way: name, message, made: small };
  }
}

type Run = readonly [inputs: Inputs, values: Values];
interface Refused {
  readonly refused: string;
}

/** The graph with these values as inputs. */
function cut({ graph, values }: Made, names: readonly string[]): Graph {
  const inputs = new Map(graph.inputs);
  for (const name of names) {
    const value = values.get(name);
    if (value !== undefined && !graph.outputs.has(name)) inputs.set(name, value);
  }
  const steps = graph.steps.filter(({ outputs }) => !outputs.every((name) => inputs.has(name)));
  return needed({ ...graph, steps, inputs });
}

/** The graph with these values as its outputs. */
function endingWith({ graph, values }: Made, names: readonly string[]): Graph {
  const ports = names.flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, { element: value.element, shape: value.shape }] as const];
  });
  return needed({ ...graph, outputs: new Map(ports) });
}

/** Floats were rounded in another order: what cancels has an error of the greatest. Where there are none, every digit counts. */
function toleranceFor(
  { numbers, element }: Constant,
  all: ReadonlyMap<string, Constant>,
): { relative: number; absolute: number } {
  if ([...all.values()].every((each) => isWhole(each.element))) return { relative: 0, absolute: 0 };
  const finite = Array.from(numbers, Math.abs).filter(Number.isFinite);
  const greatest = finite.reduce((most, each) => Math.max(most, each), 0);
  const relative = element === "float16" ? 4e-3 : 1e-3;
  return { relative, absolute: 1e-5 + (relative / 10) * greatest };
}

export const differenceText = ({ way, message, made }: Difference): string =>
  `${way}: ${message}\n${graphText(made.graph)}`;

/** The graph with what ONNX Runtime made of it, in a line. */
export function caseText({ made: { graph, values } }: Difference): string {
  const name = graph.steps.map(({ operator }) => operator).join(", ");
  const model = Buffer.from(modelBytes(graph)).toString("base64");
  const data = ({ element, shape, numbers }: Constant): object => ({
    element,
    shape,
    numbers: Array.from(numbers),
  });
  const inputs = Object.fromEntries([...graph.inputs].map(([input, value]) => [input, data(value)]));
  const outputs = [...graph.outputs.keys()].flatMap((output) => {
    const value = values.get(output);
    return value === undefined ? [] : [data(value)];
  });
  return JSON.stringify({ name, model, inputs, outputs }, (_, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? `${value}` : value,
  );
}
