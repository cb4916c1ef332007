import type { Constant } from "../../../src/models/onnx/file/constant.js";
import type { ElementType } from "../../../src/models/onnx/file/element-type.js";
import { Choice } from "../../hunt/choice.js";
import { Draft, isExact, namedSize, type Sketch, type StepTable } from "./draft.js";
import { type Graph, needed, type Port, type Step } from "./graph.js";
import type { Oracle } from "./oracle.js";
import { contributedSteps } from "./steps/contributed.js";
import { elementwiseSteps } from "./steps/elementwise.js";
import { forestSteps } from "./steps/forests.js";
import { indexingSteps } from "./steps/indexing.js";
import { movementSteps } from "./steps/movement.js";
import { productSteps } from "./steps/products.js";
import { quantisedSteps } from "./steps/quantised.js";
import { recurrentSteps } from "./steps/recurrent.js";
import { reductionSteps } from "./steps/reductions.js";
import { isUnruled } from "./unruled.js";
import { elementArrays } from "./write.js";

/** A graph with the values of all its names. */
export interface Made {
  readonly graph: Graph;
  readonly values: ReadonlyMap<string, Constant>;
}

const tables = [elementwiseSteps, movementSteps, indexingSteps, reductionSteps, productSteps];
/** Tables that are seldom chosen, and mostly where the environment has a variable of the name. */
const rare = { FORESTS: forestSteps, RECURRENT: recurrentSteps, CONTRIBUTED: contributedSteps };

/** A table of steps for a value. */
function tableFor(choice: Choice, isWhole: boolean): StepTable {
  if (choice.percent(isWhole ? 50 : 5)) return choice.percent(30) ? contributedSteps : quantisedSteps;
  for (const [name, table] of Object.entries(rare))
    if (choice.percent(process.env[name] === undefined ? 4 : 90)) return table;
  return choice.oneOf(tables);
}

const opsets = [10, 11, 12, 13, 13, 14, 16, 17, 18, 18, 20, 21, 22, 23];
const mostCells = { small: 4_000, special: 4_000, great: 4_000, large: 300_000 };

/** Small tensors, large ones, or small ones with some elements that are no finite numbers, or at the ends of whole numbers. */
export type Size = keyof typeof mostCells;

const greatest = 10_000;

/** Makes the graph of a seed, a step at a time: what ONNX Runtime makes of a step is what the next one begins with. */
export async function madeGraph(
  seed: number,
  oracle: Oracle,
  size: Size = "small",
): Promise<Made | undefined> {
  const choice = new Choice(seed);
  const draft = new Draft(
    choice,
    choice.oneOf(opsets),
    size === "special" || size === "great" ? size : "few",
  );
  const steps: Step[] = [];
  const isNamed = choice.percent(40);
  const small = isNamed ? [1, namedSize, namedSize, 2, 3] : [1, 1, 2, 3, 4];
  const sizes = size === "large" ? [1, 3, 40, 64, 100] : small;
  const count = choice.oneOf([1, 2, 3, 4, 6, 9]);
  for (let tries = 0; steps.length < count && tries < 40; tries++) {
    const x = startOf(draft, sizes, size === "great" ? wholeElements : elements);
    const isWhole = ["int8", "uint8"].includes(draft.value(x).element);
    const table = tableFor(choice, isWhole);
    const sketch = choice.oneOf(Object.values(table))(draft, x);
    const step = sketch && (await tried(draft, sketch, oracle, mostCells[size]));
    if (step !== undefined) steps.push(step);
  }
  const used = new Set(steps.flatMap(({ inputs }) => inputs));
  const last = steps.flatMap(({ outputs }) => outputs).filter((name) => !used.has(name));
  const outputs = new Map(last.slice(-4).map((name) => [name, portOf(draft.value(name))]));
  if (outputs.size === 0) return undefined;
  const { opset, inputs, constants, values } = draft;
  return { graph: needed({ opset, inputs, constants, steps, outputs }), values };
}

const portOf = ({ element, shape }: Constant): Port => ({ element, shape });

const others = ["double", "int64", "int32", "uint8", "int8", "bool"] as const;
const wholeElements: readonly ElementType[] = ["int32", "int64", ...others];
const elements: readonly ElementType[] = [...Array<"float">(5).fill("float"), ...others, "float16"];

/** A value to go on from, or a new one. */
function startOf(draft: Draft, sizes: readonly number[], possible: readonly ElementType[]): string {
  const { choice } = draft;
  const all = [...draft.values.keys()].filter((name) => !draft.ends.has(name));
  if (all.length > 0 && choice.percent(85)) return choice.oneOf(choice.percent(50) ? all.slice(-2) : all);
  const rank = choice.oneOf([0, 1, 1, 2, 2, 3, 3, 4]);
  const element = choice.oneOf(possible);
  return draft.leaf(
    Array.from({ length: rank }, () => choice.oneOf(sizes)),
    element,
  );
}

/** A step with what it makes, where ONNX Runtime knows such a node and its values are fit to go on from. */
async function tried(draft: Draft, sketch: Sketch, oracle: Oracle, most: number): Promise<Step | undefined> {
  const named = sketch.inputs.filter((name) => name !== "");
  if (sketch.hasJumps === true && !named.every((name) => isExact(draft.value(name)))) return undefined;
  const values = named.map((name) => draft.value(name));
  if (isUnruled(sketch, values)) return undefined;
  const [first = ""] = named;
  const elements = sketch.outputs ?? [draft.value(first).element];
  const outputs = elements.map(() => draft.fresh());
  const step = inOldForm({ ...sketch, attributes: sketch.attributes ?? {}, outputs }, draft);
  const some = (names: (name: string) => boolean): ReadonlyMap<string, Constant> =>
    new Map(
      step.inputs.filter((name) => name !== "" && names(name)).map((name) => [name, draft.value(name)]),
    );
  let found: ReadonlyMap<string, Constant>;
  try {
    found = await oracle.run({
      opset: draft.opset,
      inputs: some((name) => !draft.constants.has(name)),
      constants: some((name) => draft.constants.has(name)),
      steps: [step],
      outputs: new Map(elements.map((element, at) => [outputs[at] ?? "", { element }])),
    });
  } catch {
    return undefined;
  }
  const all = [...found.values()];
  if (
    all.some(
      ({ numbers, element }) =>
        !(numbers.length > 0) || numbers.length > most || elementArrays[element] === undefined,
    )
  )
    return undefined;
  const isFit = all.every(({ numbers }) =>
    Array.from(numbers).every((each) => draft.isWithin(each, greatest)),
  );
  if (!isFit && draft.choice.percent(80)) return undefined;
  for (const [name, value] of found) {
    draft.values.set(name, value);
    if (!isFit) draft.ends.add(name);
  }
  return step;
}

/** Inputs that were attributes before an opset. */
const oldForms: Readonly<Record<string, { readonly until: number; readonly attribute: string }>> = {
  Squeeze: { until: 13, attribute: "axes" },
  Unsqueeze: { until: 13, attribute: "axes" },
  Split: { until: 13, attribute: "split" },
};

function inOldForm(step: Step, draft: Draft): Step {
  const form = oldForms[step.operator];
  const [x = "", list] = step.inputs;
  if (form === undefined || draft.opset >= form.until || list === undefined) return step;
  const numbers = Array.from(draft.value(list).numbers);
  return { ...step, inputs: [x], attributes: { ...step.attributes, [form.attribute]: numbers } };
}
