import type { Report } from "../source/problem.js";
import type { Span } from "../source/span.js";
import { indexed, type TensorType } from "../types/type.js";
import { type AddressedDimension, problem } from "./messages.js";
import type { LiteralBody, LiteralCellTree, LiteralEntry, LiteralItem, Word } from "./tree.js";

/**
 * A cell of a literal at its address. All forms of a body come down to these, in programs, whose leaves are expressions,
 * and in constant strings, whose leaves are words.
 */
export interface LayoutCell<Leaf> {
  /** The mapped labels, in canonical order of the dimensions. */
  readonly labels: readonly string[];
  /** The offset in the dense block, or all of the block where the leaf may stand for that (hexadecimal). */
  readonly offset: number | "block";
  readonly value: Leaf;
  readonly span: Span;
}

export interface LiteralLayout<Leaf> {
  /** The sizes of the indexed dimensions; of unbound ones as far as the cells reach. */
  readonly sizes: readonly number[];
  readonly cells: readonly LayoutCell<Leaf>[];
}

/** How many cells a tensor of this layout has, those that it leaves out among them. */
export function cellCount<Leaf>(type: TensorType, { sizes, cells }: LiteralLayout<Leaf>): number {
  const block = sizes.reduce((product, size) => product * size, 1);
  return type.isDense ? block : block * new Set(cells.map(({ labels }) => JSON.stringify(labels))).size;
}

/** What becomes of a second cell at an address: a mistake, or nothing, with a warning, as in rank profiles. */
export type RepeatedCells = "refused" | "left out";

/** What all leaves have. */
interface LeafTree {
  readonly kind: string;
  readonly span: Span;
}

/**
 * Lays out the cells of a body. `writtenNames` are the names of the type's dimensions in the order of the text, which the
 * short forms follow. Every mistake is reported, and makes the result undefined.
 */
export function layOutLiteral<Leaf extends LeafTree>(
  type: TensorType,
  writtenNames: readonly string[],
  body: LiteralItem<Leaf>,
  report: Report,
  leafMayBeBlock: boolean,
  repeated: RepeatedCells = "refused",
): LiteralLayout<Leaf> | undefined {
  const reported = new Set<string>();
  let sound = true;
  const reportOnce: Report = (mistake) => {
    if (mistake.isError) sound = false;
    if (!(formCodes.has(mistake.code) && reported.has(mistake.code))) report(mistake);
    reported.add(mistake.code);
  };
  const layout = new LayoutBuilder<Leaf>(type, writtenNames, reportOnce, leafMayBeBlock, repeated);
  layout.add(body);
  return sound ? layout.layout() : undefined;
}

/** Mistakes about the form of a literal: reported once, however many cells have them. */
const formCodes = new Set([
  "literal/labels",
  "literal/no-labels",
  "literal/array",
  "literal/one-value",
  "literal/too-deep",
]);

/** A cell with its indexes by dimension, before all sizes are known. */
interface UnsizedCell<Leaf> {
  readonly labels: ReadonlyMap<string, string>;
  readonly indexes: ReadonlyMap<string, number> | "block";
  readonly value: Leaf;
  readonly span: Span;
}

class LayoutBuilder<Leaf extends LeafTree> {
  private readonly cells: UnsizedCell<Leaf>[] = [];
  private readonly mapped: readonly string[];
  private readonly indexed: readonly string[];
  /** Sizes by name; unbound ones grow. */
  private readonly sizes = new Map<string, number>();

  constructor(
    private readonly type: TensorType,
    writtenNames: readonly string[],
    private readonly report: Report,
    private readonly leafMayBeBlock: boolean,
    private readonly repeated: RepeatedCells,
  ) {
    this.mapped = writtenNames.filter((name) => type.dimension(name)?.kind === "mapped");
    this.indexed = writtenNames.filter((name) => type.dimension(name)?.kind === "indexed");
    for (const { name, size } of type.indexed) this.sizes.set(name, size ?? 0);
  }

  add(part: LiteralItem<Leaf>): void {
    const isValue = !isBody(part) || part.kind === "scalar";
    if (isValue && this.mapped.length > 0)
      return this.report(problem("literal/labels", part.span, { type: this.type }));
    if (!isBody(part)) return this.addBlock(part, new Map());
    if (part.kind === "cells") {
      for (const cell of part.cells) this.addCell(cell);
    } else if (part.kind === "entries") this.addEntries(part.entries, part.span, new Map(), 0);
    else if (part.kind === "scalar") this.addBlock(part.value, new Map());
    else if (this.mapped.length > 0) this.report(problem("literal/labels", part.span, { type: this.type }));
    else this.addBlock(part, new Map());
  }

  /** `{x:a,y:0}:value` binds every dimension once. */
  private addCell(cell: LiteralCellTree<Leaf>): void {
    if (this.isLone(cell)) return this.refuseLone(cell.span);
    const labels = new Map<string, Word>();
    for (const { dimension, label } of cell.address) {
      if (this.type.dimension(dimension.text) === undefined) {
        const values = { dimension: dimension.text, type: this.type };
        return this.report(problem("literal/dimension", dimension.span, values));
      }
      if (labels.has(dimension.text))
        return this.report(
          problem("type/duplicate-dimension", dimension.span, { dimension: dimension.text }),
        );
      labels.set(dimension.text, label);
    }
    const missing = this.type.names.find((name) => !labels.has(name));
    if (missing !== undefined)
      return this.report(problem("literal/incomplete", cell.span, { dimension: missing, type: this.type }));
    const indexes = new Map<string, number>();
    for (const name of this.indexed) {
      const label = labels.get(name);
      const index = label === undefined ? undefined : this.index(name, label);
      if (index === undefined) return;
      indexes.set(name, index);
    }
    const texts = new Map(this.mapped.map((name) => [name, labels.get(name)?.text ?? ""]));
    this.cells.push({ labels: texts, indexes, value: cell.value, span: cell.span });
  }

  private index(dimension: string, label: Word): number | undefined {
    const size = this.type.dimension(dimension)?.size;
    const index = /^(?:0|[1-9]\d*)$/.test(label.text) ? Number(label.text) : undefined;
    if (index === undefined)
      this.report(problem("literal/index-text", label.span, { dimension, label: label.text }));
    else if (size !== undefined && index >= size) {
      this.report(problem("literal/index-size", label.span, { dimension, index, size }));
      return undefined;
    } else if (index >= 0x7fffffff) {
      this.report(problem("literal/index-size", label.span, { dimension, index, size: 0x7fffffff }));
      return undefined;
    } else this.sizes.set(dimension, Math.max(this.sizes.get(dimension) ?? 0, index + 1));
    return index;
  }

  /** `{a:…, b:…}`: a level of braces for each mapped dimension, in written order. */
  private addEntries(
    entries: readonly LiteralEntry<Leaf>[],
    span: Span,
    outer: ReadonlyMap<string, string>,
    depth: number,
  ): void {
    const dimension = this.mapped[depth];
    const unbound =
      this.mapped.length === 0 && this.type.rank === 1 && this.type.indexed[0]?.size === undefined;
    if (dimension === undefined && !unbound)
      return this.report(problem("literal/no-labels", span, { type: this.type }));
    for (const { label, value } of entries) {
      if (
        isBody(value) &&
        value.kind === "cells" &&
        value.span === label.span &&
        value.cells.some(this.isLone)
      )
        this.refuseLone(label.span);
      else if (dimension === undefined) this.addUnbound(label, value);
      else {
        const labels = new Map(outer).set(dimension, label.text);
        if (depth + 1 === this.mapped.length) this.addBlock(value, labels);
        else if (isBody(value) && value.kind === "entries")
          this.addEntries(value.entries, value.span, labels, depth + 1);
        else if (isBody(value) && value.kind === "cells" && value.cells.length === 0) continue;
        else this.report(problem("literal/labels", value.span, { type: this.type }));
      }
    }
  }

  /** A word of a constant with neither an address nor a label, as `b` of `{a:1, b}`, which only a scalar has. */
  private readonly isLone = ({ address, value, span }: LiteralCellTree<Leaf>): boolean =>
    address.length === 0 && value.span === span && !this.type.isScalar;

  private refuseLone(span: Span): void {
    const code = this.mapped.length > 0 ? "literal/labels" : "literal/array";
    this.report(problem(code, span, { type: this.type }));
  }

  /** `tensor(x[]):{0:1, 1:2}`: the labels of a single unbound dimension are its indexes. */
  private addUnbound(label: Word, value: LiteralItem<Leaf>): void {
    const name = this.indexed[0] ?? "";
    const index = this.index(name, label);
    if (index === undefined) return;
    if (isBody(value)) return this.report(problem("literal/one-value", value.span, { type: this.type }));
    this.cells.push({ labels: new Map(), indexes: new Map([[name, index]]), value, span: value.span });
  }

  /** A dense block: nested arrays, one flat array, or a single leaf. */
  private addBlock(part: LiteralItem<Leaf>, labels: ReadonlyMap<string, string>): void {
    if (!isBody(part)) return this.addLeaf(part, labels);
    if (part.kind === "scalar") return this.addLeaf(part.value, labels);
    if (part.kind !== "nested")
      return this.report(problem("literal/too-deep", part.span, { type: this.type }));
    if (this.type.isSparse) return this.report(problem("literal/one-value", part.span, { type: this.type }));
    const flat = part.items.every((item) => !isBody(item)) && this.indexed.length !== 1 && this.type.isBound;
    if (flat) this.addFlat(part.items, part.span, labels);
    else this.addNested(part, labels, new Map(), 0);
  }

  private addLeaf(value: Leaf, labels: ReadonlyMap<string, string>): void {
    if (this.indexed.length === 0) this.cells.push({ labels, indexes: new Map(), value, span: value.span });
    else if (this.leafMayBeBlock) this.cells.push({ labels, indexes: "block", value, span: value.span });
    else this.report(problem("literal/array", value.span, { type: this.type }));
  }

  /** All cells in one array, the last written dimension varying fastest. */
  private addFlat(
    items: readonly LiteralItem<Leaf>[],
    span: Span,
    labels: ReadonlyMap<string, string>,
  ): void {
    const fastestFirst = this.indexed.map((name) => ({ name, size: this.sizes.get(name) ?? 1 })).reverse();
    const expected = fastestFirst.reduce((cells, { size }) => cells * size, 1);
    if (items.length !== expected) {
      return this.report(
        problem("literal/count", span, { found: items.length, expected, block: this.type.indexed }),
      );
    }
    for (const [at, item] of items.entries()) {
      if (isBody(item)) continue;
      let rest = at;
      const indexes = new Map<string, number>();
      for (const { name, size } of fastestFirst) {
        indexes.set(name, rest % size);
        rest = Math.floor(rest / size);
      }
      this.cells.push({ labels, indexes, value: item, span: item.span });
    }
  }

  private addNested(
    part: LiteralItem<Leaf>,
    labels: ReadonlyMap<string, string>,
    indexes: ReadonlyMap<string, number>,
    depth: number,
  ): void {
    const name = this.indexed[depth];
    if (name === undefined) {
      // `tensor():[5]`: brackets around the one cell of a scalar have no effect.
      const only =
        isBody(part) && part.kind === "nested" && this.type.isScalar && part.items.length === 1
          ? part.items[0]
          : part;
      if (only === undefined || isBody(only))
        return this.report(problem("literal/too-deep", part.span, { type: this.type }));
      this.cells.push({ labels, indexes, value: only, span: only.span });
      return;
    }
    if (!isBody(part) || part.kind !== "nested") {
      return this.report(problem("literal/array", part.span, { type: this.type }));
    }
    const declared = this.type.dimension(name)?.size;
    const first = this.firstSizes.get(name) ?? part.items.length;
    this.firstSizes.set(name, first);
    const expected = declared ?? first;
    if (part.items.length !== expected) {
      const values = { found: part.items.length, expected, block: [indexed(name, expected)] };
      return this.report(problem("literal/count", part.span, values));
    }
    this.sizes.set(name, expected);
    for (const [at, item] of part.items.entries())
      this.addNested(item, labels, new Map(indexes).set(name, at), depth + 1);
  }

  /** The sizes of unbound dimensions, as the first array found them: all others must agree. */
  private readonly firstSizes = new Map<string, number>();

  layout(): LiteralLayout<Leaf> | undefined {
    const axes = this.type.indexed.map(({ name }) => ({ name, size: this.sizes.get(name) ?? 0 }));
    const spansByAddress = new Map<string | number, Span>();
    let sound = true;
    const cells = this.cells.flatMap(({ labels, indexes, value, span }): LayoutCell<Leaf>[] => {
      const texts = this.type.mapped.map(({ name }) => labels.get(name) ?? "");
      const offset = indexes === "block" ? indexes : offsetOf(indexes, axes);
      const first = offset === "block" ? 0 : offset; // each block has it
      const key = texts.length === 0 ? first : JSON.stringify([texts, first]);
      const previous = spansByAddress.get(key);
      if (previous !== undefined) {
        const related = [{ span: previous, label: "first here" }];
        const address = addressOf(labels, indexes);
        if (this.repeated === "left out") {
          this.report(problem("literal/repeated", span, { address }, related));
          return [];
        }
        this.report(problem("literal/duplicate", span, { address }, related));
        sound = false;
      }
      spansByAddress.set(key, span);
      return [{ labels: texts, offset, value, span }];
    });
    return sound ? { sizes: axes.map(({ size }) => size), cells } : undefined;
  }
}

/** Where a cell lies in a block of axes with these names and sizes. */
function offsetOf(
  indexes: ReadonlyMap<string, number>,
  axes: readonly { readonly name: string; readonly size: number }[],
): number {
  return axes.reduce((sum, { name, size }) => sum * size + (indexes.get(name) ?? 0), 0);
}

function addressOf(
  labels: ReadonlyMap<string, string>,
  indexes: ReadonlyMap<string, number> | "block",
): AddressedDimension[] {
  const all: (readonly [string, string | number])[] = [...labels, ...(indexes === "block" ? [] : indexes)];
  return all.map(([dimension, label]) => ({ dimension, label }));
}

const bodyKinds = new Set(["scalar", "nested", "cells", "entries"]);

function isBody<Leaf extends LeafTree>(part: LiteralItem<Leaf>): part is LiteralBody<Leaf> {
  return bodyKinds.has(part.kind);
}
