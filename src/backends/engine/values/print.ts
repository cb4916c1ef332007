import { type CellArray, readCell } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { numberText } from "../../../language/values/text.js";
import { isTable } from "./rows.js";
import type { AxisImage, Buffer, BufferAccess, BufferStride, Gather, Source, ThresholdSum } from "./value.js";

/**
 * Sources as text: `exp(b2[3i+j])` is the function of the cell of buffer 2 at index i of the first axis and j of the second;
 * `t0[i]` is an entry of a table.
 */

const indexNames = ["i", "j", "k", "l", "m", "n"];
export const indexName = (axis: number): string => indexNames[axis] ?? `i${axis}`;

/** How many cells, or entries of a table, are printed. */
const mostCells = 6;

/** Sources with more parts than these are not printed, since equal parts would be printed again and again. */
const mostParts = 1000;

/** The names of buffers and tables. */
export class Names {
  private readonly tables = new Map<Int32Array, number>();

  constructor(private readonly buffers: ReadonlyMap<Buffer, number>) {}

  buffer(buffer: Buffer): string {
    const number = this.buffers.get(buffer);
    if (number === undefined) throw new Error("a buffer that is printed has a number");
    return `b${number}`;
  }

  /** With its cell type and length. */
  typed(buffer: Buffer): string {
    return `${this.buffer(buffer)}: ${buffer.cellType}[${buffer.length}]`;
  }

  table(table: Int32Array): string {
    const number = this.tables.get(table) ?? this.tables.size;
    this.tables.set(table, number);
    return `t${number}`;
  }

  /** Cells at indexes, which are those of the axes unless they have other names. */
  access({ slot, offset, strides }: BufferAccess, indexes: readonly string[] = strides.map(indexOf)): string {
    const terms = strides.flatMap((stride, axis) => this.term(stride, element(indexes, axis)));
    if (offset !== 0 || terms.length === 0) terms.push(`${offset}`);
    return `${this.buffer(slot)}[${terms.join("+")}]`;
  }

  /** Which cells are summed by which keys, and the thresholds of these. */
  summed({ cells, keys, thresholds }: ThresholdSum): string {
    return `${this.access(cells)} by ${this.access(keys)} for ${this.access(thresholds)}`;
  }

  /** What cells are moved, and by which labels. */
  moved({ cells, labels }: Gather): string {
    return `${this.access(cells)} at ${labels.map(({ access }) => this.access(access)).join(" ")}`;
  }

  private term(stride: BufferStride, index: string): string[] {
    if (typeof stride !== "number") return [`${this.table(stride)}[${index}]`];
    if (stride === 0) return [];
    return [stride === 1 ? index : `${stride}${/^\w\d*$/.test(index) ? index : `·${index}`}`];
  }

  source(source: Source, indexes: readonly string[]): string {
    switch (source.kind) {
      case "constant":
        return numberText(source.value, "double");
      case "index":
        return element(indexes, source.axis);
      case "stored":
        return this.access(source.access, indexes);
      case "computed": {
        if (source.size > mostParts) return `… (${source.size} operations)`;
        const operands = source.operands.map(({ source: inner, images }) =>
          this.source(inner, images?.map((image) => this.image(image, indexes)) ?? indexes),
        );
        const { operation } = source;
        if (operation.op === "view") return operands.join();
        const name =
          operation.op === "apply"
            ? operation.function
            : operation.op === "store"
              ? operation.cellType
              : "if";
        return `${name}(${operands.join(", ")})`;
      }
    }
  }

  private image(image: AxisImage, indexes: readonly string[]): string {
    if ("at" in image) return `${image.at}`;
    const index = element(indexes, image.axis);
    if (image.rows === undefined) return index;
    if (isTable(image.rows)) return `${this.table(image.rows)}[${index}]`;
    const { first, step } = image.rows;
    return `${first} + ${step} * ${index}`;
  }

  /** A line for each table that was printed. */
  tableLines(): string[] {
    return [...this.tables].map(
      ([table, number]) => `table t${number}: ${shortened(table, (at) => `${table[at]}`)}`,
    );
  }
}

const indexOf = (_: BufferStride, axis: number): string => indexName(axis);

/** Where the cells of a buffer come from that no step computes; absent for others. */
export function originText({ origin, cellType }: Buffer): string | undefined {
  switch (origin.kind) {
    case "input":
      return `input ${origin.name}`;
    case "constant":
      return `constant ${origin.tensor.type}`;
    case "outcome":
      return `outcome of ${origin.node.op}`;
    case "cells": {
      const { cells } = origin;
      return `cells ${shortened(cells, (at) => numberText(readCell(cellType, cells, at), cellType))}`;
    }
    case "computed":
      return undefined;
  }
}

function shortened(cells: CellArray, textAt: (at: number) => string): string {
  const shown = Array.from({ length: Math.min(cells.length, mostCells) }, (_, at) => textAt(at));
  if (cells.length > mostCells) shown.push("…");
  return `[${shown.join(", ")}]`;
}
