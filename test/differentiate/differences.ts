import { compile, type Options, Tensor } from "../../src/index.js";
import { unlessRefused } from "../problem-codes.js";

/**
 * Derivatives without calculus: central differences at several widths, extrapolated, and only where they can be believed. What
 * has a corner or a step at the point, or too near to it, has none.
 */

/** A program with a result `y` that is to be differentiated in an input. */
export interface Differentiated {
  /** Statements before y: definitions of what it names. */
  readonly definitions?: string;
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
  /**
   * Whether a derivative of the same cell of y, or in the same cell of x, is not finite, and no difference contradicts it: an
   * adjoint of 0 times such a derivative is NaN, in all that it is summed up with.
   */
  readonly isBesideNotFinite: boolean;
}

export interface Comparison {
  readonly cells: readonly ComparedCell[];
  /** Addresses that the gradient lacks, and those that it has besides. */
  readonly addresses: readonly string[];
}

/** The statements that declare inputs. */
export const declarations = (inputs: Readonly<Record<string, Tensor>>): string =>
  Object.entries(inputs)
    .map(([name, { type }]) => `input ${name}: ${type}\n`)
    .join("");

/**
 * Compares the gradient on a backend with differences by the reference; nothing if a text is no program. Of a large input some
 * cells are moved, at even distances; all have addresses.
 */
export function compared(
  { definitions = "", y, inputs, x }: Differentiated,
  options: Options = {},
  mostCells = Number.POSITIVE_INFINITY,
): Comparison | undefined {
  const before = `${declarations(inputs)}${definitions}`;
  const value = unlessRefused(() => compile(`${before}${y}`, { backend: "reference" }));
  const gradient = unlessRefused(() => compile(`${before}gradient(${y}, ${x})`, options));
  const variable = inputs[x];
  if (value === undefined || gradient === undefined || variable === undefined) return undefined;
  const names = renamedDimensions(value.results[0]?.type.names ?? [], variable.type.names);
  const cells = gradient.run(inputs);
  const found = new Map([...cells.cells()].map(({ address, value }) => [addressText(address), value]));
  const base = value.run(inputs);
  const addresses: string[] = [];
  const cellsCompared: (Omit<ComparedCell, "isBesideNotFinite"> & { inX: string; inY: string })[] = [];
  const cellsOfX = [...variable.cells()];
  const every = Math.max(1, Math.ceil(cellsOfX.length / mostCells));
  for (const [at, { address: ofX, value: cell }] of cellsOfX.entries()) {
    const isMoved = at % every === 0;
    const runs = isMoved
      ? scalesAt(cell).map((scale) => ({
          scale,
          runs: offsets.map((offset) => value.run({ ...inputs, [x]: moved(variable, at, offset * scale) })),
        }))
      : [];
    for (const { address: ofY } of base.cells()) {
      const renamed = Object.fromEntries(
        Object.entries(ofY).map(([name, label]) => [names.get(name) ?? name, label]),
      );
      const address = addressText({ ...renamed, ...ofX });
      addresses.push(address);
      const gradient = found.get(address) ?? Number.NaN;
      const own = { address, gradient, inX: addressText(ofX), inY: addressText(ofY) };
      if (!isMoved) {
        cellsCompared.push({ ...own, differences: undefined, uncertainty: Number.POSITIVE_INFINITY });
        continue;
      }
      const { derivative, uncertainty } = best(
        runs.map(({ scale, runs }) =>
          derivativeOf(
            runs.map((run) => run.get(ofY)),
            base.get(ofY),
            scale,
          ),
        ),
      );
      cellsCompared.push({ ...own, differences: derivative, uncertainty });
    }
  }
  const expected = new Set(addresses);
  const unexpected = [...found.keys()].filter((each) => !expected.has(each));
  const notFinite = cellsCompared.filter(
    ({ gradient, differences }) => !Number.isFinite(gradient) && differences === undefined,
  );
  const inX = new Set(notFinite.map((each) => each.inX));
  const inY = new Set(notFinite.map((each) => each.inY));
  return {
    cells: cellsCompared.map(({ inX: ofX, inY: ofY, ...cell }) => ({
      ...cell,
      isBesideNotFinite: inX.has(ofX) || inY.has(ofY),
    })),
    addresses: [...addresses.filter((each) => !found.has(each)), ...unexpected],
  };
}

/** The cells of a gradient that are not what differences find, where those can be believed. */
export function wrongCells({ cells }: Comparison, relative: number): readonly ComparedCell[] {
  return cells.filter(({ gradient, differences, uncertainty, isBesideNotFinite }) => {
    if (differences === undefined || (Number.isNaN(gradient) && isBesideNotFinite)) return false;
    return !(Math.abs(gradient - differences) <= relative * (1 + Math.abs(differences)) + 20 * uncertainty);
  });
}

/** What is wrong there and near by: a corner that is too near to be seen lies in one of the two places. */
export function judgedTwice<Judgement extends { readonly wrong: readonly unknown[] }>(
  differentiated: Differentiated,
  judge: (differentiated: Differentiated) => Judgement,
): Judgement {
  const first = judge(differentiated);
  if (first.wrong.length === 0) return first;
  const inputs = Object.entries(differentiated.inputs).map(([name, tensor]) => [
    name,
    withCells(tensor, (at) => tensor.at(at) * 1.01 + 0.0371),
  ]);
  return judge({ ...differentiated, inputs: Object.fromEntries(inputs) });
}

/** A tensor of doubles with the addresses of another. */
export function withCells({ type, sizes, labels, data }: Tensor, cell: (at: number) => number): Tensor {
  const cells = Float64Array.from({ length: data.length }, (_, at) => cell(at));
  return Tensor.of(type.withCells("double"), sizes, labels, cells);
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
const moved = (tensor: Tensor, position: number, by: number): Tensor =>
  withCells(tensor, (at) => tensor.at(at) + (at === position ? by : 0));

/** How far a cell is moved, in steps: by its own size as well, where that is far from 1. */
function scalesAt(cell: number): readonly number[] {
  const size = Math.abs(cell);
  const isFarFromOne = Number.isFinite(size) && size > 0 && !(size > 1 / 8 && size < 8);
  return isFarFromOne ? [1, 2 ** Math.floor(Math.log2(size))] : [1];
}

interface Found {
  readonly derivative: number | undefined;
  readonly uncertainty: number;
}

const none: Found = { derivative: undefined, uncertainty: Number.POSITIVE_INFINITY };

/** The least uncertain of them. */
const best = (all: readonly Found[]): Found =>
  all.reduce((left, right) => (right.uncertainty < left.uncertainty ? right : left), none);

function derivativeOf(
  values: readonly (number | undefined)[],
  base: number | undefined,
  scale: number,
): Found {
  if (base === undefined || values.some((value) => value === undefined || !Number.isFinite(value)))
    return none;
  const at = (index: number): number => values[index] ?? Number.NaN;
  const slopes = widths.map((width, index) => (at(2 * index) - at(2 * index + 1)) / (2 * width * scale));
  const [first, second, third] = slopes as [number, number, number]; // one for each of three widths
  const [once, again] = [second + (second - first) / 3, third + (third - second) / 3];
  const derivative = again + (again - once) / 15;
  const uncertainty =
    Math.abs(again - once) / 8 + 1e-13 * (Math.abs(base) / (step * scale) + Math.abs(derivative));
  // A corner has slopes that differ from side to side, however near; those of a smooth function differ less and less.
  const sides = widths.map(
    (width, index) => Math.abs(at(2 * index) - 2 * base + at(2 * index + 1)) / (width * scale),
  );
  const [wide = 0, , narrow = 0] = sides;
  const size = 1 + Math.abs(derivative) + Math.abs(base);
  const isSmooth = Math.abs(again - once) < 1e-4 * size && (narrow < 1e-9 * size || narrow < 0.3 * wide);
  return isSmooth ? { derivative, uncertainty } : none;
}
