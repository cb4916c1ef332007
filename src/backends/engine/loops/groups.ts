import type { Lanes } from "../assembler/code.js";
import type { WasmInstruction } from "../assembler/instructions.js";
import { type Form, type LaneCalls, Numbers } from "./numbers.js";
import type { LocalScope, StackValue } from "./scope.js";

/**
 * What an instruction of a body is while the kernel is written: one number; or, where the kernel computes in lanes, the
 * numbers of four neighbouring cells, as one vector of floats or two of doubles.
 */
export interface Group {
  readonly isLanes: boolean;
  readonly number: "double" | "float";
  /** Whether the parts are masks, as comparisons of such numbers give them. */
  readonly isMask: boolean;
  /** Bound, unless nothing else uses them. */
  readonly parts: readonly StackValue[];
}

/** Cells in a group of lanes. */
export const groupSize = 4;

const firstHalves = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
const lowHalves = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const upperHalf = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

/** Arithmetic in each form, and the ways between them. */
export class Groups {
  private readonly forms: Readonly<Record<Form, Numbers>>;

  constructor(
    readonly scope: LocalScope,
    hasMultiplyAdd: boolean,
    laneCalls: LaneCalls,
  ) {
    const numbers = (form: Form): Numbers => new Numbers(scope, form, hasMultiplyAdd, laneCalls);
    this.forms = {
      f64: numbers("f64"),
      f32: numbers("f32"),
      f64x2: numbers("f64x2"),
      f32x4: numbers("f32x4"),
    };
  }

  numbers(number: "double" | "float", isLanes: boolean): Numbers {
    if (isLanes) return this.forms[number === "double" ? "f64x2" : "f32x4"];
    return this.forms[number === "double" ? "f64" : "f32"];
  }

  of(group: Group): Numbers {
    return this.numbers(group.number, group.isLanes);
  }

  constant(value: number, number: "double" | "float", isLanes: boolean): Group {
    const constant = this.numbers(number, isLanes).constant(value);
    const parts = isLanes && number === "double" ? [constant, constant] : [constant];
    return { isLanes, number, isMask: false, parts };
  }

  /** All parts in locals. */
  bind(group: Group): Group {
    const numbers = this.of(group);
    const parts = group.parts.map((part) => (group.isMask ? numbers.bindMask(part) : numbers.bind(part)));
    return { ...group, parts };
  }

  /** The same numbers as doubles or floats; to floats they are rounded. */
  as(number: "double" | "float", group: Group): Group {
    const plain = this.unmasked(group);
    if (plain.number === number) return plain;
    return { ...plain, number, parts: number === "float" ? this.narrowed(plain) : this.widened(plain) };
  }

  /** Masks of the width that goes with these numbers: whether they are not 0. */
  asMask(number: "double" | "float", group: Group): Group {
    const numbers = this.of(group);
    if (!group.isMask) {
      const parts = group.parts.map((part) => numbers.compare("ne", part, numbers.constant(0)));
      return this.asMask(number, { ...group, isMask: true, parts });
    }
    if (group.number === number) return group;
    if (!group.isLanes) return { ...group, number };
    const bound = this.bind(group);
    const [first, second] = bound.parts;
    const parts =
      number === "float"
        ? [this.shuffled(first, second, firstHalves)]
        : [
            numbers.of(["i64x2.extend_low_i32x4_s"], first as StackValue),
            numbers.of(["i64x2.extend_high_i32x4_s"], first as StackValue),
          ];
    return { ...bound, number, parts };
  }

  /** One number in all lanes. */
  splat(group: Group): Group {
    if (group.isLanes) return group;
    const plain = this.unmasked(group);
    const [part] = plain.parts as [StackValue];
    const instruction: WasmInstruction = plain.number === "double" ? "f64x2.splat" : "f32x4.splat";
    const lanes = this.scope.bind("v128", this.of(plain).of([instruction], part));
    return { ...plain, isLanes: true, parts: plain.number === "double" ? [lanes, lanes] : [lanes] };
  }

  /** One vector from the bytes of two, by their indexes. */
  shuffled(
    first: StackValue | undefined,
    second: StackValue | undefined,
    bytes: readonly number[],
  ): StackValue {
    const push = (): void => {
      first?.push();
      second?.push();
      this.scope.code.shuffle(bytes);
    };
    return { push, isBound: false };
  }

  vector(lanes: Lanes, value: number | readonly number[]): StackValue {
    return this.scope.vector(lanes, value);
  }

  /** What a function gives for each number by itself, as lanes again. */
  perLane(group: Group, number: "double" | "float", one: (group: Group) => Group): Group {
    const bound = this.bind(group);
    const results = Array.from({ length: groupSize }, (_, lane) => {
      const [part] = this.bind(this.as(number, one(this.lane(bound, lane)))).parts;
      return part as StackValue;
    });
    return this.ofLanes(number, results);
  }

  /** One number of lanes that are bound. */
  lane(group: Group, lane: number): Group {
    if (!group.isLanes) return group;
    const { number, parts } = this.unmasked(group);
    const each = groupSize / parts.length;
    const part = parts[Math.floor(lane / each)];
    const instruction = number === "double" ? "f64x2.extract_lane" : "f32x4.extract_lane";
    const push = (): void => {
      part?.push();
      this.scope.code.lane(instruction, lane % each);
    };
    return { isLanes: false, number, isMask: false, parts: [{ push, isBound: false }] };
  }

  /** Lanes of single numbers. */
  ofLanes(number: "double" | "float", values: readonly StackValue[]): Group {
    const { code } = this.scope;
    const each = number === "double" ? 2 : 4;
    const [splat, replace] =
      number === "double"
        ? (["f64x2.splat", "f64x2.replace_lane"] as const)
        : (["f32x4.splat", "f32x4.replace_lane"] as const);
    const parts = Array.from({ length: groupSize / each }, (_, at): StackValue => {
      const push = (): void => {
        for (const [lane, value] of values.slice(at * each, at * each + each).entries()) {
          value.push();
          if (lane === 0) code.do(splat);
          else code.lane(replace, lane);
        }
      };
      return { push, isBound: false };
    });
    return { isLanes: true, number, isMask: false, parts };
  }

  private unmasked(group: Group): Group {
    if (!group.isMask) return group;
    const numbers = this.of(group);
    return { ...group, isMask: false, parts: group.parts.map((part) => numbers.ofMask(part)) };
  }

  private narrowed({ parts, isLanes }: Group): readonly StackValue[] {
    const numbers = this.numbers("float", isLanes);
    const [first, second] = parts as [StackValue, StackValue];
    if (!isLanes) return [numbers.of(["f32.demote_f64"], first)];
    const [low, high] = [first, second].map((part) => numbers.of(["f32x4.demote_f64x2_zero"], part));
    return [this.shuffled(low, high, lowHalves)];
  }

  private widened(group: Group): readonly StackValue[] {
    const numbers = this.numbers("double", group.isLanes);
    const [part] = group.parts as [StackValue];
    if (!group.isLanes) return [numbers.of(["f64.promote_f32"], part)];
    const bound = this.scope.bind("v128", part);
    const upper = this.shuffled(bound, bound, upperHalf);
    return [bound, upper].map((part) => numbers.of(["f64x2.promote_low_f32x4"], part));
  }
}
