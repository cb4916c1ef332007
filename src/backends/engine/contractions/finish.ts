import type { ScalarName } from "../../../language/scalar/functions.js";
import { cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { type Group, type Groups, partOf } from "../kernels/groups.js";
import type { StackValue } from "../kernels/scope.js";
import type { Access, Instruction, Loop } from "../loop.js";
import { computed } from "../loops/body.js";
import { kindsOf } from "../loops/kinds.js";
import { withPlainLimits } from "../loops/limits.js";
import { evenStrides } from "./axes.js";
import { type FinishField, field, mostFinishSources, words } from "./descriptor.js";
import type { Contraction } from "./step.js";

/** What a kernel computes of each sum before it is stored, in floats: a bias and a limit, say, or what is added from elsewhere. */
export interface Finish {
  /** Instruction 0, which is not in the list, is the sum; a read names one of the sources. */
  readonly body: readonly Instruction[];
  readonly sources: readonly FinishSource[];
  /** Along which role vectors are stored: cells of the target lie next to each other along its columns, or mostly along its rows. */
  readonly along: "rows" | "columns";
}

/** How the cells of a source lie: all roles see the same one, next to each other, or further apart. */
export interface FinishSource {
  readonly rows: Distance;
  readonly columns: Distance;
}

type Distance = "none" | "next" | "apart";

/** A finish with where its cells are read. */
export interface AccessedFinish extends Finish {
  readonly accesses: readonly Access[];
  /** For the descriptor. */
  readonly strides: Readonly<Partial<Record<FinishField, number>>>;
}

/** Functions of floats that take an instruction or two. */
const quick = new Set<ScalarName>([
  ...(["add", "subtract", "multiply", "divide", "max", "min", "vespaMax", "vespaMin"] as const),
  ...(["relu", "abs", "negate", "sqrt", "square"] as const),
]);

/** The finish of a loop as kernels compute it; nothing where they do not. */
export function finishOf(loop: Loop, { terms, shape }: Contraction): AccessedFinish | undefined {
  const { finish = [], sources, axes, target } = loop;
  const read = [...new Set(finish.flatMap((each) => (each.op === "read" ? [each.source] : [])))];
  const accesses = read.map((source) => element(sources, source));
  const types = [target, terms.left, terms.right, ...accesses].map(({ cellType }) => cellType);
  if (read.length > mostFinishSources || types.some((type) => type !== "float")) return undefined;
  const along = shape.strides.target.columns === 1 ? "columns" : "rows";
  const strides: Partial<Record<FinishField, number>> = {};
  const distances: FinishSource[] = [];
  for (const [source, access] of accesses.entries()) {
    const { batch, rows, columns } = evenStrides(axes, terms, access);
    const own = { rows: distanceOf(rows), columns: distanceOf(columns) };
    if (batch !== 0 || rows === undefined || columns === undefined || own[along] === "apart")
      return undefined;
    distances.push(own);
    strides[fieldOf(source, "rows")] = rows * cellTypes.float.width;
    strides[fieldOf(source, "columns")] = columns * cellTypes.float.width;
  }
  const numbered = finish.map(
    (each): Instruction => (each.op === "read" ? { ...each, source: read.indexOf(each.source) } : each),
  );
  const [, ...body] = withPlainLimits([{ op: "read", source: read.length }, ...numbered]);
  return isOfFloats(body, read.length) ? { body, sources: distances, along, accesses, strides } : undefined;
}

const fieldOf = (source: number, role: "rows" | "columns"): FinishField => `finish.${source as 0}.${role}`; // one of the first few

const distanceOf = (stride: number | undefined): Distance =>
  stride === 0 ? "none" : stride === 1 ? "next" : "apart";

/** Whether floats alone compute it, in quick instructions. */
function isOfFloats(body: readonly Instruction[], sources: number): boolean {
  const isKnown = body.every(
    (each) =>
      each.op === "read" ||
      each.op === "constant" ||
      (each.op === "apply" && quick.has(each.function)) ||
      (each.op === "store" && each.cellType === "float"),
  );
  const kinds = kindsOfFinish(body, sources);
  return isKnown && kinds.every(({ number }, at) => number === "float" || body[at - 1]?.op === "constant");
}

const kindsOfFinish = (body: readonly Instruction[], sources: number): ReturnType<typeof kindsOf> =>
  kindsOf(
    [{ op: "read", source: sources }, ...body],
    Array.from({ length: sources + 1 }, () => "float" as const),
    "float",
  );

/** What tells kernels apart. */
export const finishKey = (finish: Finish | undefined): string =>
  finish === undefined ? "" : ` ${JSON.stringify([finish.body, finish.sources, finish.along], signedZero)}`;

const signedZero = (_: string, value: unknown): unknown =>
  Object.is(value, -0) || (typeof value === "number" && !Number.isFinite(value)) ? `${value}` : value;

/** The parameters of a kernel, and addresses of the sources of a finish behind them. */
export const parametersWith = (finish: Finish | undefined, others: number): ReturnType<typeof words> =>
  words(others + (finish?.sources.length ?? 0));

/** Where in the target a number is: its row and its column, which are pushed. */
export interface TilePosition {
  readonly row: () => unknown;
  readonly column: () => unknown;
}

/** Writes the finish of a kernel whose parameters from `first` on are the addresses of its sources. */
export class FinishWriter {
  private readonly kinds: ReturnType<typeof kindsOf>;
  /** Locals with what all vectors of a line read, by the number of their source. */
  private readonly held = new Map<number, number>();

  constructor(
    private readonly groups: Groups,
    private readonly finish: Finish,
    private readonly first: number,
  ) {
    this.kinds = kindsOfFinish(finish.body, finish.sources.length);
  }

  /** Reads once, for all that is written behind it, what is the same for all vectors of the line at a position, along which vectors are stored. */
  holdLine(position: TilePosition): void {
    const { scope } = this.groups;
    for (const [source, distances] of this.finish.sources.entries()) {
      if (distances[this.finish.along] !== "none") continue;
      const held = scope.take("v128");
      scope.set(held, this.read(source, position, true));
      this.held.set(source, held);
    }
  }

  /** The same as `finished`, but no number where a sum is not finite, so that it is found and added up anew. */
  value(sum: StackValue, position: TilePosition, isLanes: boolean): StackValue {
    const floats = this.groups.numbers("float", isLanes);
    return floats.subtract(this.finished(sum, position, isLanes), floats.subtract(sum, sum));
  }

  /** What becomes of a sum that is bound, or of four of neighbouring cells from a position on. */
  finished(sum: StackValue, position: TilePosition, isLanes = false): StackValue {
    const { groups } = this;
    const values: Group[] = [{ isLanes, number: "float", isMask: false, parts: [sum] }];
    for (const instruction of this.finish.body) {
      const kind = element(this.kinds, values.length);
      values.push(groups.bind(this.instruction(instruction, kind, values, position, isLanes)));
    }
    return partOf(groups.as("float", element(values, values.length - 1)));
  }

  private instruction(
    instruction: Instruction,
    kind: (typeof this.kinds)[number],
    values: readonly Group[],
    position: TilePosition,
    isLanes: boolean,
  ): Group {
    const { groups } = this;
    const number = "float";
    switch (instruction.op) {
      case "read":
        return {
          isLanes,
          number,
          isMask: false,
          parts: [this.heldOrRead(instruction.source, position, isLanes)],
        };
      case "constant":
        return groups.constant(instruction.value, number, isLanes);
      case "apply":
        return this.computed(instruction, kind, instruction.arguments, values);
      case "store":
        return this.computed(instruction, kind, [instruction.value], values);
      default:
        throw new Error("a finish has neither choices nor indexes");
    }
  }

  private computed(
    instruction: Parameters<typeof computed>[1],
    kind: (typeof this.kinds)[number],
    operands: readonly number[],
    values: readonly Group[],
  ): Group {
    const groups = operands.map((operand) => element(values, operand));
    return computed(this.groups, instruction, kind, groups);
  }

  private heldOrRead(source: number, position: TilePosition, isLanes: boolean): StackValue {
    const held = isLanes ? this.held.get(source) : undefined;
    return held === undefined ? this.read(source, position, isLanes) : this.groups.scope.local(held);
  }

  /** A cell of a source, or four along the way of vectors. */
  private read(source: number, { row, column }: TilePosition, isLanes: boolean): StackValue {
    const { scope } = this.groups;
    const { code } = scope;
    const distances = element(this.finish.sources, source);
    const offset = (role: "rows" | "columns", index: () => unknown): void => {
      if (distances[role] === "none") return;
      index();
      if (distances[role] === "next") code.i32(2).do("i32.shl", "i32.add");
      else {
        field(code, fieldOf(source, role)).do("i32.mul", "i32.add");
      }
    };
    const address = scope.value(() => {
      code.get(this.first + source);
      offset("rows", row);
      offset("columns", column);
    });
    const all = distances[this.finish.along] === "none" ? "v128.load32_splat" : "v128.load";
    return scope.loaded(isLanes ? all : "f32.load", address, 0);
  }
}
