import { levelBit } from "../../language/core/graph.js";
import { inputsOf, type Node, type NodeOf, visit } from "../../language/core/operations.js";
import { scalarFunctions } from "../../language/scalar/functions.js";
import { entry, numberAt } from "../../language/values/element.js";

/**
 * A scalar body as a list of instructions, for running it on many cells: parameters first, then values from outside,
 * then one register for each operation, children before parents. Both branches of an `if` are computed: they are scalar
 * functions, which have no effects and cannot fail.
 */
export interface Tape {
  /** Values from outside the loop: to be put in the registers behind the parameters. */
  readonly outside: readonly Node[];
  readonly length: number;
  /** Runs the body. The first registers are the parameters and the outside values. */
  readonly run: (registers: Float64Array) => number;
}

interface TapeInstruction {
  readonly compute: (x: number, y: number, z: number) => number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * The tape of a body with so many parameters at this level, or nothing where the body is more than scalar functions of
 * them and of values from outside. A value that only a branch needs may be that of a missing input, or a random number:
 * whether it is computed depends on the cell.
 */
export function tapeOf(body: Node, level: number, parameters: number): Tape | undefined {
  const nodes = loopNodes(body, levelBit(level));
  const bit = levelBit(level);
  const outside = nodes.filter((node) => (node.depends & bit) === 0);
  const unconditional = new Set(loopNodes(body, bit, ({ condition }) => [condition]));
  if (!outside.every((node) => node.op === "constant" || unconditional.has(node))) return undefined;
  const registers = new Map<Node, number>(outside.map((node, at) => [node, parameters + at]));
  const instructions: TapeInstruction[] = [];
  for (const node of nodes) {
    if ((node.depends & bit) === 0) {
      if (!node.type.isScalar) return undefined;
    } else if (node.op === "parameter" && node.level === level && node.type.isScalar)
      registers.set(node, node.position);
    else {
      const instruction = instructionOf(node, registers);
      if (instruction === undefined) return undefined;
      registers.set(node, parameters + outside.length + instructions.length);
      instructions.push(instruction);
    }
  }
  const first = parameters + outside.length;
  const result = entry(registers, body);
  const run = (cells: Float64Array): number => {
    let at = first;
    for (const { compute, x, y, z } of instructions)
      cells[at++] = compute(numberAt(cells, x), numberAt(cells, y), numberAt(cells, z));
    return numberAt(cells, result);
  };
  return { outside, length: first + instructions.length, run };
}

function instructionOf(node: Node, registers: ReadonlyMap<Node, number>): TapeInstruction | undefined {
  // A function of one argument takes no notice of another: any register will do.
  const at = (input: Node | undefined): number => (input === undefined ? 0 : entry(registers, input));
  if (node.op === "apply") {
    const [x, y] = node.arguments;
    return { compute: scalarFunctions[node.function].compute, x: at(x), y: at(y), z: 0 };
  }
  if (node.op !== "select" || !node.type.isScalar) return undefined;
  return {
    compute: (condition, yes, no) => (condition !== 0 ? yes : no),
    x: at(node.condition),
    y: at(node.yes),
    z: at(node.no),
  };
}

/** The nodes of a body in the order of their making, down to those that do not depend on the loop; of choices these. */
function loopNodes(
  body: Node,
  bit: number,
  inputsOfChoice: (choice: NodeOf<"select">) => readonly Node[] = inputsOf.select,
): Node[] {
  const seen = new Set<Node>([body]);
  const open = [body];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ((node.depends & bit) === 0) continue;
    for (const input of node.op === "select" ? inputsOfChoice(node) : visit(inputsOf, node)) {
      if (!seen.has(input)) open.push(input);
      seen.add(input);
    }
  }
  return [...seen].sort((a, b) => a.id - b.id);
}
