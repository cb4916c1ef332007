import { inputsOf, type Node, type NodeOf, visit } from "../../../language/core/operations.js";
import { type ScalarName, scalarFunctions } from "../../../language/scalar/functions.js";
import { entry } from "../../../language/values/element.js";
import { isEager } from "./eager.js";
import type { Feature } from "./packing.js";

/**
 * A forest whose decisions and leaves are arithmetic: each has instructions of its own, which are computed when a walk comes to
 * it, and only then. Decisions and leaves are nodes of one table; trees lie one behind the other.
 */
export interface DecisionProgram {
  readonly kind: "program";
  readonly instructions: Instructions;
  /** For each node its first instruction, and for the one behind the last node where they end. */
  readonly starts: Int32Array;
  /** For each node the register that says where to go on, or that holds the number of a leaf. */
  readonly results: Int32Array;
  /** Two for each node: where to go on if its number is 0, and if it is not; a leaf has -1. */
  readonly next: Int32Array;
  /** Where each term begins. */
  readonly roots: Int32Array;
  readonly decisions: number;
  /** Results of instructions first, then numbers that are looked up, and constants. */
  readonly registers: Float64Array;
  readonly features: readonly Feature[];
  readonly computedLeaves: readonly [];
  readonly dependencies: readonly Node[];
}

/** Instructions as columns. The result of one is in the register of its position among those of its node. */
export interface Instructions {
  readonly codes: Int32Array;
  /** Three registers for each. */
  readonly operands: Int32Array;
  /** The functions of codes from `firstFunction` on. */
  readonly functions: readonly ((x: number, y: number) => number)[];
}

/** Codes of operations that a walk has lines of its own for. */
export const codes = {
  ...{ less: 0, lessOrEqual: 1, greater: 2, greaterOrEqual: 3, equal: 4, notEqual: 5 },
  ...{ add: 6, subtract: 7, multiply: 8, divide: 9, select: 10 },
} as const;
export const firstFunction = 11;

/** Arithmetic of more nodes is a number that is computed before the walk. */
const mostInstructions = 32;
/** So many levels of `!`, `&&` and `||` become decisions of their own. */
const mostLevels = 8;

type Computation = NodeOf<"apply"> | NodeOf<"select">;
/** A node of the table. */
type Entry = number;

export class ProgramBuilder {
  private readonly codes: number[] = [];
  private readonly operands: number[] = [];
  private readonly functions: ((x: number, y: number) => number)[] = [];
  private readonly functionCodes = new Map<ScalarName, number>();
  private readonly starts: number[] = [];
  private readonly results: number[] = [];
  private readonly next: number[] = [];
  private readonly roots: Entry[] = [];
  private readonly features: Feature[] = [];
  private readonly constants: number[] = [];
  /** The number of each feature, and, below 0, of each constant. */
  private readonly numbers = new Map<Node | string, number>();
  private readonly targets = new Map<Node, Entry>();
  /** What each node of the table is: its instructions are written when all are known. */
  private readonly computed: Node[] = [];

  addTerm(term: Node): void {
    const open: NodeOf<"select">[] = [];
    this.roots.push(this.targetOf(term, open));
    for (let at = 0; at < open.length; at++) {
      const select = open[at] as NodeOf<"select">; // it is there
      const [yes, no] = [this.targetOf(select.yes, open), this.targetOf(select.no, open)];
      this.decide(entry(this.targets, select), select.condition, yes, no, 0);
    }
  }

  finish(): DecisionProgram {
    for (const node of this.computed) {
      this.starts.push(this.codes.length);
      this.results.push(this.write(node));
    }
    this.starts.push(this.codes.length);
    const { features, constants } = this;
    const registerOf = (result: number): number =>
      result >= 0 ? result : this.registerOf(~result, features.length);
    const registers = new Float64Array(mostInstructions + features.length + constants.length);
    registers.set(constants, mostInstructions + features.length);
    return {
      kind: "program",
      instructions: {
        codes: Int32Array.from(this.codes),
        operands: Int32Array.from(this.operands, registerOf),
        functions: this.functions,
      },
      starts: Int32Array.from(this.starts),
      results: Int32Array.from(this.results, registerOf),
      next: Int32Array.from(this.next),
      roots: Int32Array.from(this.roots),
      decisions: this.next.filter((target) => target >= 0).length / 2,
      registers,
      features,
      computedLeaves: [],
      dependencies: features.map(({ node }) => node),
    };
  }

  private targetOf(node: Node, open: NodeOf<"select">[]): Entry {
    const existing = this.targets.get(node);
    if (existing !== undefined) return existing;
    const target = this.entry(node);
    this.targets.set(node, target);
    if (node.op === "select" && isEager(node)) open.push(node);
    return target;
  }

  /** A node of the table: a leaf, before it is a decision. */
  private entry(node: Node): Entry {
    this.next.push(-1, -1);
    return this.computed.push(node) - 1;
  }

  private decide(at: Entry, condition: Node, yes: Entry, no: Entry, level: number): void {
    if (condition.op === "apply" && level < mostLevels) {
      const [x, y] = condition.arguments;
      if (condition.function === "not" && x !== undefined) return this.decide(at, x, no, yes, level + 1);
      const isBoth = condition.function === "and";
      if ((isBoth || condition.function === "or") && x !== undefined && y !== undefined) {
        const second = this.entry(y);
        this.decide(second, y, yes, no, level + 1);
        return isBoth
          ? this.decide(at, x, second, no, level + 1)
          : this.decide(at, x, yes, second, level + 1);
      }
    }
    this.computed[at] = condition;
    this.next[2 * at] = no;
    this.next[2 * at + 1] = yes;
  }

  /** Writes the instructions of a number; its register, or ~ its number where it is looked up. */
  private write(root: Node): number {
    if (!isComputed(root)) return ~this.numberOf(root);
    const registers = new Map<Node, number>();
    const open: Node[] = [root];
    let used = 0;
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
      if (registers.has(node)) {
        open.pop();
        continue;
      }
      if (node !== root && !isArithmetic(node)) {
        registers.set(node, ~this.numberOf(node));
        continue;
      }
      const computation = node as Computation; // what is arithmetic is one
      const operands = operandsOf(computation);
      const missing = operands.filter((each) => !registers.has(each));
      for (const each of missing) open.push(each);
      if (missing.length > 0) continue;
      this.instruction(
        computation,
        operands.map((each) => entry(registers, each)),
      );
      registers.set(node, used++);
    }
    return entry(registers, root);
  }

  private instruction(node: Computation, operands: readonly number[]): void {
    this.codes.push(node.op === "select" ? codes.select : this.codeOf(node.function));
    const [x, y = x, z = x] = operands;
    this.operands.push(x as number, y as number, z as number); // an operation has an operand
  }

  private codeOf(name: ScalarName): number {
    if (name in codes) return codes[name as Exclude<keyof typeof codes, "select">]; // narrowed before
    const code =
      this.functionCodes.get(name) ?? firstFunction + this.functions.push(scalarFunctions[name].compute) - 1;
    this.functionCodes.set(name, code);
    return code;
  }

  /** The number of what is looked up: even of a feature, and odd of a constant. */
  private numberOf(node: Node): number {
    const key = node.op === "constant" ? keyOf(node.value.at(0)) : node;
    const existing = this.numbers.get(key);
    if (existing !== undefined) return existing;
    const number =
      node.op === "constant"
        ? 2 * (this.constants.push(node.value.at(0)) - 1) + 1
        : 2 * (this.features.push({ node, isNegated: false }) - 1);
    this.numbers.set(key, number);
    return number;
  }

  private registerOf(number: number, features: number): number {
    const at = number >> 1;
    return mostInstructions + (number % 2 === 0 ? at : features + at);
  }
}

/** -0 is not 0. */
const keyOf = (value: number): string => (Object.is(value, -0) ? "-0" : `${value}`);

const operandsOf = (node: Computation): readonly Node[] => visit(inputsOf, node);

const isArithmetic = (node: Node): node is Computation => node.op === "apply" || node.op === "select";

/** Whether a number is computed when a walk comes to it: arithmetic that is short, and quickly computed. */
function isComputed(root: Node): boolean {
  if (!isArithmetic(root) || !isEager(root)) return false;
  const seen = new Set<Node>([root]);
  for (const node of seen) {
    if (seen.size > 4 * mostInstructions) return false;
    if (isArithmetic(node)) for (const input of operandsOf(node)) seen.add(input);
  }
  let instructions = 0;
  for (const node of seen) instructions += +isArithmetic(node);
  return instructions <= mostInstructions;
}

/** The first register of numbers that are looked up. */
export const firstFeature = mostInstructions;
