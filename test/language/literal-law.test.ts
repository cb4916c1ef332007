import { describe, expect, test } from "vitest";
import { readByGrammar, readQuickly } from "../../src/formats/literal.js";
import { atOnce } from "../../src/language/limits/slices.js";
import { type CellType, cellTypes } from "../../src/language/types/cell.js";
import { type Dimension, indexed, mapped, TensorType } from "../../src/language/types/type.js";
import { uniform } from "../../src/program/random.js";
import { allCellTypes } from "../arbitraries.js";
import { seeds } from "../chance.js";

/**
 * Literals as data are read in one pass, and by the grammar where that finds a mistake. Both must read the same texts, and as the
 * same tensors: then messages are always those of the grammar.
 */

const options = { empty: Number.NaN, cells: 1000 };

type Request = Parameters<typeof readByGrammar>[1];

/** What both make of a text: the tensor, and how its cells are stored. */
function readBothWays(text: string, request: Partial<Request> = {}) {
  const source = { name: "text", text };
  const quick = atOnce(readQuickly(source, { ...options, ...request }));
  const byGrammar = readByGrammar(source, { ...options, ...request }).tree;
  return [quick, byGrammar].map(
    (tensor) =>
      tensor && [`${tensor}`, tensor.sizes, tensor.labels, tensor.data, tensor.blockCells, tensor.rows],
  );
}

/** A writer of literals, well formed for the most part, from random numbers. */
class Writer {
  constructor(private readonly next: () => number) {}

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<T>(...items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** One time in so many. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }

  type(): TensorType {
    const dimensions = ["x", "y", "k", "a1", "tensor"]
      .filter(() => this.once(3))
      .map((name): Dimension => this.pick(mapped(name), indexed(name), indexed(name, 1 + this.below(3))));
    return TensorType.of(this.pick<CellType>(...allCellTypes), dimensions);
  }

  space(): string {
    return this.once(6) ? this.pick(" ", "  ", "\n", "\r\n\t", "\u00a0", "\u2028\ufeff") : "";
  }

  number(): string {
    const digits = `${this.below(10 ** (1 + this.below(9)))}${this.once(8) ? this.below(10 ** 9) : ""}`;
    if (this.once(4))
      return this.pick(
        ...[
          "NaN",
          "Infinity",
          "-Infinity",
          "+Infinity",
          "-0",
          "+7",
          ".5",
          "5.",
          "-.25",
          "1e3",
          "1E-3",
          "2e+2",
        ],
        ...["1e400", "5e-324", "0.1f", "3D", "00012", "9007199254740993", "123456789012345678901234567890"],
        ...["0.000000000000000000000001", "1234567.8901234567", "0.1234567890123456", "4503599627370497.5"],
      );
    return `${this.pick("", "-")}${digits}${this.once(2) ? `.${this.below(1000)}` : ""}`;
  }

  label(): string {
    return this.once(4)
      ? this.pick(`'a b'`, `"it's"`, `'\\n\\x41\\u00e9'`, `''`, `"0"`, `'}'`, `'\\\\'`, `"b"`)
      : this.pick("a", "b", "c", "d", "0", "1", "2", "-1", "a{b", "k[1", "é", "tensor", `it's`);
  }

  index(size: number): string {
    const index = `${this.below(size)}`;
    return this.once(8) ? `"${index}"` : index;
  }

  /** Items with commas between them, and white space anywhere. */
  list(open: string, items: readonly string[], close: string): string {
    const inner = items.map((item) => `${this.space()}${item}${this.space()}`).join(",");
    return `${open}${inner}${close}`;
  }

  text(type: TensorType, written: readonly string[]): string {
    if (type.isScalar && this.once(2))
      return this.pick(this.number(), `{${this.number()}}`, `{'3'}`, `[${this.number()}]`);
    if (this.once(20)) return `{${this.space()}}`;
    if (this.once(3)) return this.cells(type, written);
    const isByIndex = type.rank === 1 && !type.isBound && this.once(3);
    if (isByIndex)
      return this.list(
        "{",
        this.shuffled(["0", "1", "2"]).map((index) => `${index}:${this.number()}`),
        "}",
      );
    const [labelled, axes] = [true, false].map((isMapped) =>
      written.filter((name) => (type.dimension(name)?.kind === "mapped") === isMapped),
    );
    const sizes = (axes ?? []).map((name) => type.dimension(name)?.size ?? this.below(3));
    return this.entries(type, (labelled ?? []).length, sizes);
  }

  cells(type: TensorType, written: readonly string[]): string {
    const cells = Array.from({ length: this.below(4) }, () => {
      const names = this.once(2) ? written : this.shuffled(written);
      const address = names.map((name) => {
        const { kind, size = 3 } = type.dimension(name) ?? {};
        return `${name}:${this.space()}${kind === "mapped" ? this.label() : this.index(size)}`;
      });
      return `${this.list("{", address, "}")}${this.once(6) ? " " : ":"}${this.space()}${this.number()}`;
    });
    return this.list("{", cells, "}");
  }

  entries(type: TensorType, levels: number, sizes: readonly number[]): string {
    if (levels === 0) return this.block(type, sizes);
    const items = Array.from({ length: this.below(4) }, () => {
      return `${this.label()}${this.space()}:${this.space()}${this.entries(type, levels - 1, sizes)}`;
    });
    return this.list("{", items, "}");
  }

  block(type: TensorType, sizes: readonly number[]): string {
    const cells = sizes.reduce((product, size) => product * size, 1);
    const numbers = (count: number): string[] => Array.from({ length: count }, () => this.number());
    if (sizes.length > 0 && this.once(4)) {
      const { width } = cellTypes[type.cellType];
      return Array.from({ length: 2 * width * cells }, () => this.pick(..."0123456789abcdefABCDEF")).join("");
    }
    if (sizes.length > 1 && this.once(3)) return this.list("[", numbers(cells), "]");
    const nested = ([size, ...inner]: readonly number[]): string =>
      size === undefined
        ? this.number()
        : this.list(
            "[",
            Array.from({ length: this.once(30) ? size + 1 : size }, () => nested(inner)),
            "]",
          );
    return nested(sizes);
  }

  /** The text with a character more, less or another, some of the time. */
  mistaken(text: string): string {
    if (!this.once(3)) return text;
    const at = this.below(text.length + 1);
    const other = this.pick(...`{}[],:"'\\ 01ab-.e`, "");
    return text.slice(0, at) + other + text.slice(at + this.below(2));
  }
}

describe("both ways of reading a literal read the same texts as the same tensors", () => {
  test.each(seeds(20))("seed %i", (seed) => {
    let read = 0;
    for (let round = 0; round < 300; round++) {
      const writer = new Writer(uniform(1000 * seed + round));
      const type = writer.type();
      const written = writer.shuffled(type.names);
      const dimensions = written.map(
        (name) =>
          `${type.dimension(name)?.kind === "mapped" ? `${name}{}` : `${name}[${type.dimension(name)?.size ?? ""}]`}`,
      );
      const typeText = `${writer.space()}tensor<${type.cellType}>(${dimensions.join(",")})${writer.space()}:`;
      const body = writer.mistaken(writer.space() + writer.text(type, written) + writer.space());
      const [text, request] = writer.pick<[string, Partial<Request>]>(
        [typeText + body, {}],
        [body, { type, axes: written }],
        [body, {}],
        [writer.mistaken(typeText) + body, { type }],
      );
      const [quick, byGrammar] = readBothWays(text, request);
      expect([text, `${type}`, quick]).toEqual([text, `${type}`, byGrammar]);
      if (quick !== undefined) read++;
    }
    expect(read).toBeGreaterThan(60);
  });
});

describe("what is most easily read in two ways", () => {
  test.each([
    ["a number in brackets", "tensor():[[", undefined],
    ["a part of another form among entries", "tensor(p{},q{}):{a:{x:1}, {p:b,q:c}:5}", undefined],
    ["a label without a value among entries", "tensor(p{},q{}):{a:{x:1}, b}", undefined],
    ["a block in hexadecimal and one as an array", "tensor<int8>(k{},x[1]):{a:01, a:[2]}", undefined],
    ["a block as an array and one in hexadecimal", "tensor<int8>(k{},x[1]):{a:[2], a:01}", undefined],
    ["more cells than are allowed", "tensor(x[]):{{x:1000}:1}", undefined],
    ["as many as are allowed", "tensor(x[]):{{x:999}:1}", 1000],
    ["rows without cells", "tensor(k{},x[]):{a:[], a:[]}", 0],
    ["labels that differ in quotes", "tensor(k{}):{a:1, 'a':2}", undefined],
    ["an escape that there is not", "tensor(k{}):{'\\q':1}", undefined],
  ])("%s", (_, text, cells) => {
    const [quick, byGrammar] = readBothWays(text);
    expect(quick).toEqual(byGrammar);
    const data = quick?.[3] as { readonly length: number } | undefined;
    expect(data?.length).toBe(cells);
  });
});

test("numbers are rounded once, as JavaScript reads them", () => {
  const [seed = 0] = seeds(1);
  const next = uniform(seed);
  const words = Array.from({ length: 5000 }, () => {
    const digits = `${next()}`.slice(2, 3 + Math.floor(17 * next()));
    const point = Math.floor((digits.length + 1) * next());
    return `${next() < 0.5 ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}0`;
  });
  const tensor = atOnce(
    readQuickly({ name: "text", text: `tensor(x[]):[${words}]` }, { ...options, cells: 5000 }),
  );
  expect(tensor?.data).toEqual(Float64Array.from(words, Number));
});
