import { type CellType, cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { cellRows } from "../kernels/cell-types.js";
import type { Instruction } from "../loop.js";
import { inlineFunctions } from "./functions.js";

/**
 * In what each instruction of a body is computed. Values are doubles by definition; but where all that goes in is
 * floats, and what comes out is either a float anyhow or is stored as one by all who use it, floats compute the same.
 * For + - * / and the square root that is so since a double has more than twice the digits of a float.
 */
export interface Kind {
  readonly number: "double" | "float";
  /** Whether it is known as a mask: 1 or 0, compared in that kind of numbers. */
  readonly isMask: boolean;
}

const double: Kind = { number: "double", isMask: false };
const float: Kind = { number: "float", isMask: false };
const doubleMask: Kind = { number: "double", isMask: true };
const floatMask: Kind = { number: "float", isMask: true };

/** Whether every number of such cells is a float. */
export function isOfFloats(cellType: CellType): boolean {
  return cellTypes[cellType].decaysTo === "float";
}

/** The instructions that an instruction uses. */
export function operandsOf(instruction: Instruction): readonly number[] {
  switch (instruction.op) {
    case "apply":
      return instruction.arguments;
    case "select":
      return [instruction.condition, instruction.yes, instruction.no];
    case "store":
      return [instruction.value];
    default:
      return [];
  }
}

/** The kind of each instruction, where the value of all of them is put into cells of a type, or folded. */
export function kindsOf(
  body: readonly Instruction[],
  sourceTypes: readonly CellType[],
  result: CellType,
): readonly Kind[] {
  const isRounded = roundedUses(body, result);
  const kinds: Kind[] = [];
  const isFloat = (at: number): boolean =>
    kinds[at]?.number === "float" || kinds[at]?.isMask === true || isFloatConstant(body[at]);
  for (const [at, instruction] of body.entries()) {
    kinds.push(kindOf(instruction, isFloat, isRounded[at] === 1, kinds, sourceTypes));
  }
  return kinds;
}

function kindOf(
  instruction: Instruction,
  isFloat: (at: number) => boolean,
  isRounded: boolean,
  kinds: readonly Kind[],
  sourceTypes: readonly CellType[],
): Kind {
  switch (instruction.op) {
    case "read":
      return isOfFloats(element(sourceTypes, instruction.source)) ? float : double;
    case "constant":
    case "index":
      return double;
    case "store": {
      const kind = element(kinds, instruction.value);
      if (isOfFloats(instruction.cellType)) return kind.isMask ? kind : float;
      return instruction.cellType === "double" ? kind : double;
    }
    case "select":
      return isFloat(instruction.yes) && isFloat(instruction.no) ? float : double;
    case "apply": {
      const row = inlineFunctions[instruction.function];
      const ofFloats = instruction.arguments.every(isFloat);
      if (row.isMask) return ofFloats ? floatMask : doubleMask;
      const canBeFloat = row.floats === "exact" || (row.floats !== "none" && isRounded);
      return ofFloats && canBeFloat ? float : double;
    }
  }
}

/** A constant is a double, but it joins floats where it is one. */
function isFloatConstant(instruction: Instruction | undefined): boolean {
  return instruction?.op === "constant" && Object.is(Math.fround(instruction.value), instruction.value);
}

/** 1 for each instruction whose value all users round to a float. */
function roundedUses(body: readonly Instruction[], result: CellType): Uint8Array {
  const isRounded = new Uint8Array(body.length).fill(1);
  for (const instruction of body) {
    if (instruction.op === "store" && isRounding(instruction.cellType)) continue;
    for (const operand of operandsOf(instruction)) isRounded[operand] = 0;
  }
  if (!isRounding(result) && body.length > 0) isRounded[body.length - 1] = 0;
  return isRounded;
}

function isRounding(cellType: CellType): boolean {
  const { coding } = cellRows[cellType];
  const isThroughFloat = coding === undefined ? cellType === "float" : coding.rounded === "float";
  return isThroughFloat && !cellTypes[cellType].whole;
}
