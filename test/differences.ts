import { compile, type Options, type Program, SphexError, Tensor } from "../src/index.js";

/**
 * Derivatives without calculus: central differences at several widths, extrapolated, and only where they can be believed. What
 * has a corner or a step at the point, or too near to it, has none.
 */

/** A program with a result `y` that is to be differentiated in an input. */
export interface Differentiated {
  /** The text of y, which may use all inputs. */
  readonly y: string;
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly x: string;
}

/** A cell of the gradient, as the language computes it and as differences find it; that is nothing where there is no derivative. */
export interface ComparedCell {
  readonly address: string;
  readonly gradient: number;
  readonly differences: number | undefined;
  /** How far the extrapolations are from each other. */
  readonly uncertainty: number;
}

export interface Comparison {
  readonly cells: readonly ComparedCell[];
  /** Addresses that the gradient lacks, and those that it has besides. */
  readonly addresses: readonly string[];
  /** Whether no cell of y or of the gradient is infinite: an adjoint of 0 times such a cell is NaN, in all that it is summed up with. */
  readonly isAllFinite: boolean;
}

const declarations = (inputs: Readonly<Record<string, Tensor>>): string =>
  Object.entries(inputs)
    .map(([name, { type }]) => `input ${name}: ${type}\n`)
    .join("");

/** Compares the gradient on a backend with differences by the reference; nothing if a text is no program. */
export function compared({ y, inputs, x }: Differentiated, options: Options = {}): Comparison | undefined {
  const value = compiled(`${declarations(inputs)}${y}`, { backend: "reference" });
  const gradient = compiled(`${declarations(inputs)}gradient(${y}, ${x})`, options);
  const variable = inputs[x];
  if (value === undefined || gradient === undefined || variable === undefined) return undefined;
  const names = renamedDimensions(value.results[0]?.type.names ?? [], variable.type.names);
  const cells = gradient.run(inputs);
  const found = new Map([...cells.cells()].map(({ address, value }) => [addressText(address), value]));
  const base = value.run(inputs);
  const addresses: string[] = [];
  const result: ComparedCell[] = [];
  for (const [at, { address: ofX }] of [...variable.cells()].entries()) {
    const runs = offsets.map((offset) => value.run({ ...inputs, [x]: moved(variable, at, offset) }));
    for (const { address: ofY } of base.cells()) {
      const renamed = Object.fromEntries(
        Object.entries(ofY).map(([name, label]) => [names.get(name) ?? name, label]),
      );
      const address = addressText({ ...renamed, ...ofX });
      const values = runs.map((run) => run.get(ofY));
      addresses.push(address);
      const { derivative, uncertainty } = derivativeOf(values, base.get(ofY));
      result.push({
        address,
        gradient: found.get(address) ?? Number.NaN,
        differences: derivative,
        uncertainty,
      });
    }
  }
  const unexpected = [...found.keys()].filter((each) => !addresses.includes(each));
  const isAllFinite =
    [...base.cells()].every(({ value: cell }) => Number.isFinite(cell)) &&
    result.every((each) => Number.isFinite(each.gradient) || Number.isNaN(each.gradient));
  return {
    isAllFinite,
    cells: result,
    addresses: [...addresses.filter((each) => !found.has(each)), ...unexpected],
  };
}

function compiled(text: string, options: Options): Program | undefined {
  try {
    return compile(text, options);
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

/** Of the dimensions of y those that x has too, with their names in the gradient. */
function renamedDimensions(y: readonly string[], x: readonly string[]): Map<string, string> {
  const taken = new Set([...y, ...x]);
  const names = new Map<string, string>();
  for (const name of y) {
    if (!x.includes(name)) continue;
    let number = 1;
    while (taken.has(`${name}${number}`)) number++;
    taken.add(`${name}${number}`);
    names.set(name, `${name}${number}`);
  }
  return names;
}

const addressText = (address: Readonly<Record<string, string | number>>): string =>
  Object.keys(address)
    .sort()
    .map((name) => `${name}:${address[name]}`)
    .join();

const step = 1 / 256;
const widths = [step, step / 2, step / 4];
const offsets = widths.flatMap((width) => [width, -width]);

/** A tensor with one cell moved. */
function moved(tensor: Tensor, position: number, by: number): Tensor {
  const data = Float64Array.from(
    { length: tensor.data.length },
    (_, at) => tensor.at(at) + (at === position ? by : 0),
  );
  return new Tensor(tensor.type, tensor.sizes, tensor.labels, data);
}

function derivativeOf(
  values: readonly (number | undefined)[],
  base: number | undefined,
): { derivative: number | undefined; uncertainty: number } {
  const none = { derivative: undefined, uncertainty: Number.POSITIVE_INFINITY };
  if (base === undefined || values.some((value) => value === undefined || !Number.isFinite(value)))
    return none;
  const at = (index: number): number => values[index] ?? Number.NaN;
  const slopes = widths.map((width, index) => (at(2 * index) - at(2 * index + 1)) / (2 * width));
  const [first, second, third] = slopes as [number, number, number]; // one for each of three widths
  const [once, again] = [second + (second - first) / 3, third + (third - second) / 3];
  const derivative = again + (again - once) / 15;
  const uncertainty = Math.abs(again - once) / 8 + 1e-13 * (Math.abs(base) / step + Math.abs(derivative));
  // A corner has slopes that differ from side to side, however near; those of a smooth function differ less and less.
  const sides = widths.map((width, index) => Math.abs(at(2 * index) - 2 * base + at(2 * index + 1)) / width);
  const [wide = 0, , narrow = 0] = sides;
  const size = 1 + Math.abs(derivative) + Math.abs(base);
  const isSmooth = narrow < 1e-9 * size || (narrow < 0.3 * wide && Math.abs(again - once) < 1e-4 * size);
  return isSmooth ? { derivative, uncertainty } : none;
}
