import type { Code, ValueType } from "../assembler/code.js";

/**
 * How a contraction is passed to kernels: whole numbers in memory, written once when its step is made. Kernels know
 * three tensors of up to three axes each, and an axis goes by a stride or by a table; so that one kernel does for all
 * shapes, and a thread needs nothing but addresses to take part.
 */

export const sides = ["left", "right", "target"] as const;
export type Side = (typeof sides)[number];
export const roles = ["batch", "rows", "columns", "sum"] as const;
export type Role = (typeof roles)[number];

const sizeFields = [
  ...roles,
  "panelRows",
  "panels",
  "depth",
  "slab",
  "padded",
  "packedBatch",
  "roundsTerms",
] as const;
type SizeField = (typeof sizeFields)[number];

/** A side's way along a role's axis: the address of its table, or 0, and its stride in bytes. */
type StrideField = `${Side}.${Role}.${"table" | "stride"}`;
/** How many bytes cells of a source of a finish are apart along a role. */
export type FinishField = `finish.${0 | 1 | 2 | 3}.${"rows" | "columns"}`;
export type Field = SizeField | StrideField | FinishField;

/** The most sources that a finish has. */
export const mostFinishSources = 4;

const fields: readonly Field[] = [
  ...sizeFields,
  ...sides.flatMap((side) =>
    roles.flatMap((role): Field[] => [`${side}.${role}.table`, `${side}.${role}.stride`]),
  ),
  ...([0, 1, 2, 3] as const).flatMap((source): Field[] => [
    `finish.${source}.rows`,
    `finish.${source}.columns`,
  ]),
];

/** Numbers in a descriptor. */
export const descriptorLength = fields.length;

// The fields are all that there are.
export const fieldAt = Object.fromEntries(fields.map((field, at) => [field, at])) as Readonly<
  Record<Field, number>
>;

/** The first parameter of every kernel is the address of its descriptor. */
export const descriptor = 0;

/** Leaves a number of the descriptor on the stack. */
export function field(code: Code, name: Field): Code {
  return code.get(descriptor).memory("i32.load", fieldAt[name] * 4);
}

/** Leaves on the stack how many bytes from its first cell a side is at an index along a role's axis. */
export function byteOffset(code: Code, side: Side, role: Role, shift: number, index: () => void): Code {
  return field(code, `${side}.${role}.table`).if(
    () => {
      field(code, `${side}.${role}.table`);
      index();
      code.i32(2).do("i32.shl", "i32.add").memory("i32.load").i32(shift).do("i32.shl");
    },
    () => {
      field(code, `${side}.${role}.stride`);
      index();
      code.do("i32.mul");
    },
    "i32",
  );
}

/** Leaves 1 where cells follow each other along a role's axis without gaps, else 0. */
export function isContiguous(code: Code, side: Side, role: Role, shift: number): Code {
  field(code, `${side}.${role}.table`).do("i32.eqz");
  return field(code, `${side}.${role}.stride`)
    .i32(1 << shift)
    .do("i32.eq", "i32.and");
}

type Twelve = readonly [...Four, ...Four, ...Four];
type Four = readonly [number, number, number, number];

/** New locals, as many as are asked for, up to twelve. */
export function locals(code: Code, length: number, type: ValueType = "i32"): Twelve {
  const numbers = Array.from({ length }, () => code.local(type));
  return numbers as unknown as Twelve; // the rest is missing: a kernel that used it would not compile
}

/** The parameters of a kernel: whole numbers, most of them addresses. */
export const words = (length: number): ValueType[] => Array.from({ length }, () => "i32");
