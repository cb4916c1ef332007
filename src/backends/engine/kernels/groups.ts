import { element } from "../../../language/values/element.js";
import type { Lanes } from "../assembler/code.js";
import { type Form, type LaneCalls, Numbers } from "./numbers.js";
import { type Precision, precisions } from "./precision.js";
import type { LocalScope, StackValue } from "./scope.js";
import { evenWords, lowHalves, upperHalf } from "./shuffles.js";
import { Words } from "./words.js";

/**
 * What an instruction of a body is while the kernel is written: one number; or, where the kernel computes in lanes, the
 * numbers of four neighbouring cells, as one vector of floats or two of doubles.
 */
export interface Group {
  readonly isLanes: boolean;
  readonly number: Precision;
  /** Whether the parts are masks, as comparisons of such numbers give them. */
  readonly isMask: boolean;
  /** Bound, unless nothing else uses them. */
  readonly parts: readonly StackValue[];
}

/** The part of a group that has one. */
export const partOf = ({ parts }: Group): StackValue => element(parts, 0);

/** Cells in a group of lanes. */
export const groupSize = 4;

/** Arithmetic in each form, and the ways between them. */
export class Groups {
  private readonly forms: Readonly<Record<Form, Numbers>>;
  private readonly wordForms: Readonly<Record<"i32" | "v128", Words>>;

  constructor(
    readonly scope: LocalScope,
    hasMultiplyAdd: boolean,
    laneCalls?: LaneCalls,
  ) {
    const numbers = (form: Form): Numbers => new Numbers(scope, form, hasMultiplyAdd, laneCalls);
    this.forms = {
      f64: numbers("f64"),
      f32: numbers("f32"),
      f64x2: numbers("f64x2"),
      f32x4: numbers("f32x4"),
    };
    this.wordForms = { i32: new Words(scope, false), v128: new Words(scope, true) };
  }

  numbers(number: Precision, isLanes: boolean): Numbers {
    return this.forms[precisions[number][isLanes ? "vector" : "number"]];
  }

  of(group: Group): Numbers {
    return this.numbers(group.number, group.isLanes);
  }

  constant(value: number, number: Precision, isLanes: boolean): Group {
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
  as(number: Precision, group: Group): Group {
    const plain = this.unmasked(group);
    if (plain.number === number) return plain;
    return { ...plain, number, parts: number === "float" ? this.narrowed(plain) : this.widened(plain) };
  }

  /** Masks of the width that goes with these numbers: whether they are not 0. */
  asMask(number: Precision, group: Group): Group {
    const numbers = this.of(group);
    if (!group.isMask) {
      const parts = group.parts.map((part) => numbers.compare("ne", part, numbers.constant(0)));
      return this.asMask(number, { ...group, isMask: true, parts });
    }
    if (group.number === number) return group;
    if (!group.isLanes) return { ...group, number };
    const bound = this.bind(group);
    const [first, second] = bound.parts as [StackValue, StackValue]; // two of doubles
    const parts =
      number === "float"
        ? [this.scope.shuffled(first, second, evenWords)]
        : [numbers.of(["i64x2.extend_low_i32x4_s"], first), numbers.of(["i64x2.extend_high_i32x4_s"], first)];
    return { ...bound, number, parts };
  }

  /** One number in all lanes. */
  splat(group: Group): Group {
    if (group.isLanes) return group;
    const plain = this.unmasked(group);
    const [part] = plain.parts as [StackValue]; // of one number
    const lanes = this.scope.bind("v128", this.scope.of([`${precisions[plain.number].vector}.splat`], part));
    return { ...plain, isLanes: true, parts: plain.number === "double" ? [lanes, lanes] : [lanes] };
  }

  /** A vector that is bound, and one that begins with its second half. */
  halves(vector: StackValue): readonly StackValue[] {
    return [vector, this.scope.shuffled(vector, vector, upperHalf)];
  }

  /** The first halves of two vectors. */
  joinedHalves(vectors: readonly StackValue[]): StackValue {
    const [low, high] = vectors as [StackValue, StackValue]; // of four cells
    return this.scope.shuffled(low, high, lowHalves);
  }

  words(isLanes: boolean): Words {
    return isLanes ? this.wordForms.v128 : this.wordForms.i32;
  }

  vector(lanes: Lanes, value: number | readonly number[]): StackValue {
    return this.scope.vector(lanes, value);
  }

  /** What a function gives for each number by itself, as lanes again. */
  perLane(group: Group, number: Precision, one: (group: Group) => Group): Group {
    const bound = this.bind(group);
    const results = Array.from({ length: groupSize }, (_, lane) => {
      return partOf(this.bind(this.as(number, one(this.lane(bound, lane)))));
    });
    return this.ofLanes(number, results);
  }

  /** One number of lanes that are bound. */
  lane(group: Group, lane: number): Group {
    if (!group.isLanes) return group;
    const { number, parts } = this.unmasked(group);
    const { vector, count } = precisions[number];
    const part = element(parts, Math.floor(lane / count));
    const extracted = this.scope.value(() => {
      part.push();
      this.scope.code.lane(`${vector}.extract_lane`, lane % count);
    });
    return { isLanes: false, number, isMask: false, parts: [extracted] };
  }

  /** The lanes of a vector that is bound, as doubles. */
  eachLane({ isDouble }: Numbers, vector: StackValue): readonly StackValue[] {
    const number = isDouble ? "double" : "float";
    const lanes: Group = { isLanes: true, number, isMask: false, parts: [vector] };
    return Array.from({ length: precisions[number].count }, (_, lane) => {
      return partOf(this.as("double", this.lane(lanes, lane)));
    });
  }

  /** Lanes of single numbers. */
  ofLanes(number: Precision, values: readonly StackValue[]): Group {
    const { code } = this.scope;
    const { vector, count } = precisions[number];
    const parts = Array.from({ length: groupSize / count }, (_, at) =>
      this.scope.value(() => {
        for (const [lane, value] of values.slice(at * count, at * count + count).entries()) {
          value.push();
          if (lane === 0) code.do(`${vector}.splat`);
          else code.lane(`${vector}.replace_lane`, lane);
        }
      }),
    );
    return { isLanes: true, number, isMask: false, parts };
  }

  private unmasked(group: Group): Group {
    if (!group.isMask) return group;
    const numbers = this.of(group);
    return { ...group, isMask: false, parts: group.parts.map((part) => numbers.ofMask(part)) };
  }

  private narrowed({ parts, isLanes }: Group): readonly StackValue[] {
    const numbers = this.numbers("float", isLanes);
    const [first, second] = parts as [StackValue, StackValue]; // the second in lanes alone
    if (!isLanes) return [numbers.of(["f32.demote_f64"], first)];
    const halves = [first, second].map((part) => numbers.of(["f32x4.demote_f64x2_zero"], part));
    return [this.joinedHalves(halves)];
  }

  private widened({ parts, isLanes }: Group): readonly StackValue[] {
    const [part] = parts as [StackValue]; // floats are in one part, in lanes too
    if (!isLanes) return [this.scope.of(["f64.promote_f32"], part)];
    return this.widenedLanes(part);
  }

  /** Four floats as two vectors of doubles. */
  widenedLanes(floats: StackValue): readonly StackValue[] {
    const halves = this.halves(this.scope.bind("v128", floats));
    return halves.map((half) => this.scope.of(["f64x2.promote_low_f32x4"], half));
  }
}
