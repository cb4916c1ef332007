import { isLiteralTypeNode, isStringLiteral, type Node } from "typescript/unstable/ast";
import {
  laneInstructions,
  plainInstructions,
  plainMemory,
  saturatingInstructions,
  vectorInstructions,
  vectorMemory,
} from "../../../src/backends/engine/assembler/instructions.js";
import { type Edit, type Mutator, replaced } from "./mutator.js";

const tables: readonly Readonly<Record<string, number>>[] = [
  plainInstructions,
  saturatingInstructions,
  vectorInstructions,
  plainMemory,
  vectorMemory,
  laneInstructions,
];

/** Parts of the names of instructions that are taken for each other. */
const others: readonly (readonly [part: RegExp, other: string])[] = [
  [/\.add$/, ".sub"],
  [/\.sub$/, ".add"],
  [/\.mul$/, ".add"],
  [/\.div$/, ".mul"],
  [/\.div_/, ".rem_"],
  [/\.rem_/, ".div_"],
  [/\.lt/, ".le"],
  [/\.le/, ".lt"],
  [/\.gt/, ".ge"],
  [/\.ge/, ".gt"],
  [/\.eqz$/, ".popcnt"],
  [/\.eq$/, ".ne"],
  [/\.ne$/, ".eq"],
  [/\.min/, ".max"],
  [/\.max/, ".min"],
  [/\.pmin/, ".pmax"],
  [/\.pmax/, ".pmin"],
  [/\.and$/, ".or"],
  [/\.or$/, ".and"],
  [/\.xor$/, ".or"],
  [/\.andnot$/, ".and"],
  [/\.shl$/, ".shr_s"],
  [/\.shr_[su]$/, ".shl"],
  // Numbers of bytes and cells have no sign, so that it matters only where cells are read or converted.
  [/(load.*|extend.*|extadd.*|trunc.*|convert.*)_s$/, "$1_u"],
  [/(load.*|extend.*|extadd.*|trunc.*|convert.*)_u$/, "$1_s"],
  [/_s_/, "_u_"],
  [/_u_/, "_s_"],
  [/_low_/, "_high_"],
  [/_high_/, "_low_"],
  [/\.abs$/, ".neg"],
  [/\.neg$/, ".abs"],
  [/\.floor$/, ".ceil"],
  [/\.ceil$/, ".floor"],
  [/\.trunc$/, ".nearest"],
  [/\.nearest$/, ".trunc"],
  [/relaxed_madd$/, "relaxed_nmadd"],
  [/relaxed_nmadd$/, "relaxed_madd"],
];

/** The name of an instruction becomes that of another with the same operands, which the assembler has. */
const instruction = (node: Node): readonly Edit[] => {
  if (!isStringLiteral(node) || isLiteralTypeNode(node.parent)) return [];
  const table = tables.find((each) => Object.hasOwn(each, node.text));
  if (table === undefined) return [];
  return others
    .filter(([part]) => part.test(node.text))
    .map(([part, other]) => node.text.replace(part, other))
    .filter((name) => Object.hasOwn(table, name))
    .map((name) => replaced(node, JSON.stringify(name)));
};

export const instructions: readonly Mutator[] = [{ name: "instruction", edits: instruction }];
