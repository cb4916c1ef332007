import { intAt } from "../../../language/values/element.js";
import { type AxisRows, isTable, tableAlong } from "./rows.js";
import type { BufferAccess, BufferStride } from "./value.js";

/** How far the cell at an index of an axis is from the first, in cells. */
export const offsetAlong = (stride: BufferStride, index: number): number =>
  typeof stride === "number" ? stride * index : intAt(stride, index);

/** Where some rows begin. */
function offsetsOf(stride: BufferStride, rows: Int32Array): Int32Array {
  const offsets = new Int32Array(rows.length);
  if (typeof stride === "number")
    for (let at = 0; at < rows.length; at++) offsets[at] = stride * intAt(rows, at);
  else for (let at = 0; at < rows.length; at++) offsets[at] = intAt(stride, intAt(rows, at));
  return offsets;
}

/** Tables of strides: each is made once, however many loops read along it. */
export class Tables {
  private readonly byRows = new WeakMap<Int32Array, Map<string, BufferStride>>();
  private readonly sums = new WeakMap<Int32Array, Map<string, Int32Array>>();
  private readonly asCells = new WeakMap<Int32Array, BufferAccess>();
  private readonly numbers = new WeakMap<object, number>();
  private count = 0;

  /** A number that is the same for the same object only; 0 for none. */
  identity(of: object | undefined): number {
    if (of === undefined) return 0;
    const number = this.numbers.get(of) ?? ++this.count;
    this.numbers.set(of, number);
    return number;
  }

  /** The stride along an axis each of whose indexes is a row of the axis with this stride. */
  strideOfRows(stride: BufferStride, rows: Int32Array | undefined): BufferStride {
    if (rows === undefined || stride === 0) return stride;
    const strides = this.byRows.get(rows) ?? new Map<string, BufferStride>();
    this.byRows.set(rows, strides);
    const key = this.keyOf(stride);
    const existing = strides.get(key);
    if (existing !== undefined) return existing;
    const table = stride === 1 ? rows : offsetsOf(stride, rows);
    strides.set(key, table);
    return table;
  }

  /** Where cells are read at rows of the axis with this stride: the first of them, and the stride from there on. */
  along(
    stride: BufferStride,
    rows: AxisRows | undefined,
  ): { readonly first: number; readonly stride: BufferStride } {
    if (rows === undefined || isTable(rows)) return { first: 0, stride: this.strideOfRows(stride, rows) };
    if (typeof stride !== "number") return { first: 0, stride: tableAlong(stride, rows) };
    return { first: stride * rows.first, stride: stride * rows.step };
  }

  /** The stride along an axis that stands for two. A table may be longer than an axis that reads it: of two, all that both have is. */
  sum(left: BufferStride, right: BufferStride): BufferStride {
    if (left === 0) return right;
    if (right === 0) return left;
    if (typeof left === "number") return typeof right === "number" ? left + right : this.sum(right, left);
    const sums = this.sums.get(left) ?? new Map<string, Int32Array>();
    this.sums.set(left, sums);
    const key = this.keyOf(right);
    const existing = sums.get(key);
    if (existing !== undefined) return existing;
    const length = typeof right === "number" ? left.length : Math.min(left.length, right.length);
    const table = left.subarray(0, length).map((distance, index) => distance + offsetAlong(right, index));
    sums.set(key, table);
    return table;
  }

  /** The rows themselves, as cells to be read along an axis. */
  cells(rows: Int32Array): BufferAccess {
    const cached = this.asCells.get(rows);
    if (cached !== undefined) return cached;
    const slot = { cellType: "int", length: rows.length, origin: { kind: "cells", cells: rows } } as const;
    const access: BufferAccess = { slot, cellType: "int", offset: 0, strides: [1] };
    this.asCells.set(rows, access);
    return access;
  }

  /** What rows have that are the same along any axis; empty for the indexes themselves. */
  keyOfRows(rows: AxisRows | undefined): string {
    if (rows === undefined) return "";
    return isTable(rows) ? `t${this.identity(rows)}` : `${rows.first}+${rows.step}`;
  }

  private keyOf(stride: BufferStride): string {
    return typeof stride === "number" ? `${stride}` : `t${this.identity(stride)}`;
  }
}
