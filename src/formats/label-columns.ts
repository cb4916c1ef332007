import { SliceMeter, type Slices, textOrder } from "../language/limits/slices.js";
import { element, intAt } from "../language/values/element.js";
import { Dictionary } from "../language/values/labels/dictionary.js";
import { LabelIndex } from "../language/values/labels/label-index.js";
import { orderBy } from "../language/values/labels/order.js";
import { NumberList } from "./number-list.js";

/** Mapped labels in the order in which a text has them, each distinct one once, as numbers in a list. */
export class LabelColumns {
  private readonly dimensions: readonly NumberedLabels[];
  /** The number of each label, row by row. */
  private readonly numbers = NumberList.ofIntegers();
  private added = 0;

  constructor(width: number) {
    this.dimensions = Array.from({ length: width }, () => new NumberedLabels());
  }

  /** How many rows there are, equal ones among them. */
  get count(): number {
    return this.added;
  }

  /** A row, with a label for each dimension in canonical order. */
  add(labels: readonly string[]): void {
    for (let at = 0; at < labels.length; at++)
      this.numbers.push(element(this.dimensions, at).numberOf(element(labels, at)));
    this.added++;
  }

  /** The distinct rows in canonical order, and the place among them of each that was added. */
  *rows(): Slices<{ readonly index: LabelIndex; readonly rowOf: Int32Array }> {
    const { count } = this;
    if (this.dimensions.length === 0)
      return { index: new LabelIndex([], [], Math.min(count, 1)), rowOf: new Int32Array(count) };
    const dictionaries: Dictionary[] = [];
    const columns: Int32Array[] = [];
    for (const [at, labels] of this.dimensions.entries()) {
      const { dictionary, idOf } = yield* labels.sorted();
      dictionaries.push(dictionary);
      columns.push(this.idsOf(at, idOf));
      yield;
    }
    const sizes = dictionaries.map(({ size }) => size);
    const order = orderBy(columns, sizes, count);
    yield;
    const rowOf = new Int32Array(count);
    const firsts = NumberList.ofIntegers();
    const meter = new SliceMeter();
    for (let at = 0; at < count; at++) {
      const cell = intAt(order, at);
      const isNew = at === 0 || columns.some((column) => column[cell] !== column[intAt(order, at - 1)]);
      if (isNew) firsts.push(cell);
      rowOf[cell] = firsts.length - 1;
      if (meter.isFull(1)) yield;
    }
    const rows = columns.map((column) => firsts.array.map((cell) => intAt(column, cell)));
    return { index: new LabelIndex(dictionaries, rows, firsts.length), rowOf };
  }

  /** The id of each row's label of a mapped dimension. */
  private idsOf(at: number, idOf: Int32Array | undefined): Int32Array {
    const width = this.dimensions.length;
    const ids = new Int32Array(this.count);
    for (let row = 0; row < ids.length; row++) {
      const number = this.numbers.at(row * width + at);
      ids[row] = idOf === undefined ? number : intAt(idOf, number);
    }
    return ids;
  }
}

/** The distinct labels of one dimension, numbered as they come. */
class NumberedLabels {
  private readonly labels: string[] = [];
  /** The number of each; nothing as long as each label that was new came behind all others. */
  private numbers: Map<string, number> | undefined;
  private latest = 0;

  /** The number of a label, which is new if it was not there. */
  numberOf(label: string): number {
    const labels = this.labels;
    // Cells of one row follow each other, and rows of a full box come round again in the same order.
    if (labels[this.latest] === label) return this.latest;
    const following = this.latest + 1 < labels.length ? this.latest + 1 : 0;
    this.latest = labels[following] === label ? following : this.found(label);
    return this.latest;
  }

  private found(label: string): number {
    const { length } = this.labels;
    const last = this.labels[length - 1];
    if (this.numbers === undefined && (last === undefined || last < label))
      return this.labels.push(label) - 1;
    this.numbers ??= new Map(this.labels.map((each, number) => [each, number]));
    const number = this.numbers.get(label);
    if (number !== undefined) return number;
    this.numbers.set(label, length);
    return this.labels.push(label) - 1;
  }

  /** The labels in canonical order, and the id of each by its number; without ids where these are the numbers. */
  *sorted(): Slices<{ readonly dictionary: Dictionary; readonly idOf: Int32Array | undefined }> {
    const { labels } = this;
    const order = yield* textOrder(labels);
    if (order === undefined) return { dictionary: Dictionary.ofSorted(labels), idOf: undefined };
    const idOf = new Int32Array(labels.length);
    for (const [id, number] of order.entries()) idOf[number] = id;
    return { dictionary: Dictionary.ofSorted(order.map((number) => element(labels, number))), idOf };
  }
}
