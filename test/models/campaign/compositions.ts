import type { BackendName } from "../../../src/backends/backends.js";
import { compile, parseTensor, parseType, SphexError, Tensor } from "../../../src/index.js";
import { element } from "../../../src/language/values/element.js";
import { isNear } from "../../../src/language/values/near.js";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import { models } from "../../../src/models.js";
import { Choice } from "../../hunt/choice.js";
import { borderTensor } from "../onnx/imported.js";
import { namedSize } from "./draft.js";
import { type Graph, graphText } from "./graph.js";
import { madeGraph } from "./make.js";
import type { Oracle } from "./oracle.js";
import { modelBytes } from "./write.js";

/** Programs that combine models with formulas, against the same formulas of what ONNX Runtime makes of each call. */

/** What a program computes with a model: its text after the declarations, other inputs of it, and the numbers that come out. */
interface Composition {
  readonly text: string;
  readonly inputs?: Readonly<Record<string, Tensor>>;
  readonly expected: readonly number[];
}

/** A model with its inputs, of which the first may be varied. */
class Subject {
  readonly inputs: readonly (readonly [name: string, value: Constant])[];
  readonly output: string;

  constructor(
    readonly graph: Graph,
    private readonly oracle: Oracle,
    readonly choice: Choice,
  ) {
    this.inputs = [...graph.inputs];
    [this.output = ""] = graph.outputs.keys();
  }

  get first(): Constant {
    return this.inputs[0]?.[1] ?? { element: "float", shape: [], numbers: [] };
  }

  /** The output for the first input times a number. */
  async at(factor: number): Promise<Constant> {
    const numbers = Array.from(this.first.numbers, (each) => Math.fround(each * factor));
    return await this.of({ ...this.first, numbers });
  }

  /** The output for another first input. */
  async of(first: Constant): Promise<Constant> {
    const [name = ""] = this.inputs[0] ?? [];
    const inputs = new Map(this.inputs).set(name, first);
    const found = (await this.oracle.run({ ...this.unshaped, inputs })).get(this.output);
    if (found === undefined) throw new Error(`no output ${this.output}`);
    return found;
  }

  /** A call of the model, its first input with another text. */
  call(first: string, model = "net"): string {
    const isNamed = this.choice.percent(50);
    const args = this.inputs.map(([name], at) => `${isNamed ? `${name}: ` : ""}${at === 0 ? first : name}`);
    return `${model}(${args.join(", ")}).${this.output}`;
  }

  /** Whether the size of an axis has a name, and no other input has it. */
  get isNamed(): boolean {
    return this.inputs.length === 1 && this.first.shape.filter((size) => size === namedSize).length === 1;
  }

  get axes(): string[] {
    return this.first.shape.map((_, axis) => `d${axis}`);
  }

  /** The graph with outputs of which no shape is declared. */
  get unshaped(): Graph {
    const outputs = [...this.graph.outputs].map(([name, { element }]) => [name, { element }] as const);
    return { ...this.graph, outputs: new Map(outputs) };
  }

  get name(): string {
    return this.inputs[0]?.[0] ?? "";
  }
}

/** The sum of an output of a shape, whose elements count differently, so that another order is another sum. */
function weighed(text: string, { shape }: Constant): string {
  if (shape.length === 0) return text;
  const dimensions = shape.map((size, axis) => `d${axis}[${size}]`);
  const weight = shape.map((_, axis) => `d${axis} * ${weights[axis]}`).join(" + ");
  return `sum(${text} * tensor(${dimensions})((${weight}) % 5 + 1))`;
}

const weights = [7, 3, 11, 13, 2];

function weigh({ numbers: elements, shape }: Constant): number {
  const numbers = [...elements];
  if (shape.length === 0) return numbers[0] ?? Number.NaN;
  let all = 0;
  for (let at = 0; at < numbers.length; at++) {
    let [left, weight] = [at, 0];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1;
      weight += (left % size) * (weights[axis] ?? 0);
      left = Math.floor(left / size);
    }
    all += (numbers[at] ?? 0) * ((weight % 5) + 1);
  }
  return all;
}

const factors = [1, 2, -1, 0.5];

/** Forms of programs; nothing where a model does not fit one. */
const forms: Readonly<Record<string, (model: Subject) => Promise<Composition | undefined>>> = {
  scaled: async (model) => {
    const factor = model.choice.oneOf(factors);
    const value = await model.at(factor);
    return { text: weighed(model.call(`${model.name} * ${factor}`), value), expected: [weigh(value)] };
  },
  generator: async (model) => {
    const values = [await model.at(1), await model.at(2), await model.at(3)];
    const call = weighed(model.call(`${model.name} * (i + 1)`), await model.at(1));
    return { text: `tensor(i[3])(${call})`, expected: values.map(weigh) };
  },
  functions: async (model) => {
    const [one, two] = [await model.at(1), await model.at(2)];
    const score = `score(t) = ${weighed(model.call("t"), one)}`;
    return {
      text: `${score}\ntwice(t) = score(t) - score(t * 2)\ntwice(${model.name})`,
      expected: [weigh(one) - weigh(two)],
    };
  },
  "two models": async (model) => {
    const [one, two] = [await model.at(1), await model.at(2)];
    const calls = `a = ${model.call(model.name)}\nb = ${model.call(`${model.name} * 2`, "twin")}`;
    return {
      text: `${calls}\n${weighed("join(a, b, f(x, y)(x - y * 3))", one)}`,
      expected: [weigh(one) - 3 * weigh(two)],
    };
  },
  chain: async (model) => {
    const once = await model.at(1);
    if (`${once.shape}` !== `${model.first.shape}` || once.element !== "float") return undefined;
    const twice = await model.of(once);
    return { text: weighed(model.call(model.call(model.name), "twin"), twice), expected: [weigh(twice)] };
  },
  conditional: async (model) => {
    const value = await model.at(1);
    const branches = [model.call(model.name), model.call(`${model.name} * 2`)];
    return {
      text: `flag = sum(${model.name}) < 1 / 0\n${weighed(`if(flag, ${branches})`, value)}`,
      expected: [weigh(value)],
    };
  },
  sliced: async (model) => {
    const value = await model.at(1);
    const [size = 0, ...rest] = value.shape;
    if (size < 2) return undefined;
    const at = model.choice.below(size);
    const inner = value.numbers.length / size;
    const own = Array.from(value.numbers).slice(at * inner, (at + 1) * inner);
    const slice = model.choice.percent(50) ? `${at}` : `(${at} + sum(zero))`;
    const renamed = rest.map((_, axis) => [`d${axis + 1}`, `d${axis}`] as const);
    const call = `${model.call(model.name)}{d0:${slice}}`;
    const part = renamed.reduce((text, [from, to]) => `rename(${text}, ${from}, ${to})`, call);
    const shaped = { ...value, shape: rest, numbers: own };
    return { text: `zero = tensor(q[2])(0)\n${weighed(part, shaped)}`, expected: [weigh(shaped)] };
  },
  renamed: async (model) => {
    const value = await model.at(1);
    if (model.first.shape.length !== 2) return undefined;
    const turned = `rename(rename(${model.name}, (d0, d1), (a, b)), (a, b), (d0, d1))`;
    return { text: weighed(model.call(turned), value), expected: [weigh(value)] };
  },
  subspaces: async (model) => {
    if (model.inputs.length !== 1 || model.first.shape.length === 0) return undefined;
    const values = [await model.at(1), await model.at(2), await model.at(3)];
    const dimensions = model.first.shape.map((size, axis) => `d${axis}[${size}]`);
    const block = parseType(`tensor<float>(${dimensions})`);
    const blocks = [1, 2, 3].map((factor) => {
      const numbers = Float32Array.from(model.first.numbers, (each) => each * factor);
      return `${factor}:${Tensor.from(block, numbers, { axes: model.axes }).toString().replace(`${block}:`, "")}`;
    });
    const type = `tensor<float>(m{},${dimensions})`;
    const call = weighed(model.call("t"), await model.at(1));
    return {
      text: `input many: ${type}\nw = map_subspaces(many, f(t)(${call}))\ntensor(i[3])(w{m:(i + 1)})`,
      inputs: { many: parseTensor(`${type}:{${blocks}}`) },
      expected: values.map(weigh),
    };
  },
  "two sizes": async (model) => {
    const [size = 1, ...rest] = model.first.shape;
    if (!model.isNamed || size !== namedSize) return undefined;
    const inner = model.first.numbers.length / size;
    const shorter = {
      ...model.first,
      shape: [2, ...rest],
      numbers: Array.from(model.first.numbers).slice(0, 2 * inner),
    };
    const [one, two] = [await model.at(1), await model.of(shorter)];
    const part = `tensor<float>(${shorter.shape.map((each, axis) => `d${axis}[${each}]`)})(${model.name}{${shorter.shape.map((_, axis) => `d${axis}:(d${axis})`)}})`;
    return {
      text: `${weighed(model.call(model.name), one)} - ${weighed(model.call(part), two)}`,
      expected: [weigh(one) - weigh(two)],
    };
  },
};

const borderOf = (value: Constant): Tensor => borderTensor({ ...value, name: "", label: "" }, value);

/** How a program with a model differs from the formula by hand, and the graph of the model where it does; nothing where no model came of the seed. */
export async function composed(
  seed: number,
  oracle: Oracle,
  counts: Map<string, number>,
): Promise<readonly string[] | undefined> {
  const made = await madeGraph(seed, oracle);
  const [first] = made?.graph.inputs.values() ?? [];
  if (made === undefined || first === undefined || first.element !== "float") return undefined;
  const [output] = made.graph.outputs;
  if (output === undefined) return undefined;
  const model = new Subject({ ...made.graph, outputs: new Map([output]) }, oracle, new Choice(seed + 1));
  const differences: string[] = [];
  for (const [form, write] of Object.entries(forms)) {
    // A graph may refuse what its first input is scaled to.
    const composition = await write(model).catch(() => undefined);
    // ONNX Runtime's softplus in an LSTM or a GRU is infinite from where its exponential is.
    if (composition?.expected.every(Number.isFinite) !== true) continue;
    counts.set(form, (counts.get(form) ?? 0) + 1);
    const bytes = model.isNamed
      ? modelBytes(model.unshaped, { size: namedSize, name: "n" })
      : modelBytes(model.graph);
    for (const backend of ["engine", "closures", "reference"] as const)
      differences.push(
        ...run(model.graph, bytes, composition, backend).map((each) => `${form} on ${backend}: ${each}`),
      );
  }
  return differences.length === 0 ? [] : [...differences.slice(0, 3), graphText(model.graph)];
}

function run(
  graph: Graph,
  bytes: Uint8Array,
  { text, inputs, expected }: Composition,
  backend: BackendName,
): string[] {
  const declarations = [...graph.inputs].map(([name, value]) => `input ${name}: ${borderOf(value).type}`);
  const all = ['model net = file("net.onnx")', 'model twin = file("net.onnx")', ...declarations, text].join(
    "\n",
  );
  try {
    const program = compile(all, { models, readBytes: () => bytes, backend });
    const values = [...graph.inputs].map(([name, value]) => [name, borderOf(value)] as const);
    const result = program.run({ ...Object.fromEntries(values), ...inputs });
    const found = Array.from(result.data, Number);
    if (found.length !== expected.length) return [`${found} and not ${expected}\n${all}`];
    return expected.flatMap((each, at) =>
      isNear(element(found, at), each, allowed(each)) ? [] : [`${found} and not ${expected}\n${all}`],
    );
  } catch (error) {
    if (error instanceof SphexError && error.problems[0]?.code.startsWith("model/")) return [];
    return [`${error instanceof SphexError ? error.message : (error as Error).stack}\n${all}`];
  }
}

/** Outputs are floats, of which many are added. */
const allowed = (expected: number): number => 0.02 + 2e-3 * Math.abs(expected);
