import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTensor, parseType, Tensor, TensorType } from "../../src/index.js";
import { dimensionNames, smallWhole, tensors, tensorsOf, types } from "../arbitraries.js";
import { holds } from "../chance.js";
import { evaluate } from "../engine-evaluate.js";
import { contents, expectEqual, expectSame } from "../same.js";

/**
 * Laws that hold of all tensors, tried on random ones of all cell types and kinds of dimensions, with labels and
 * numbers at which texts, objects and rounding go wrong. "The same" is: type, sizes, labels in their order, and every
 * cell by Object.is.
 */

describe("reading and writing", () => {
  test("the text of a tensor is read as that tensor", () => {
    holds(
      fc.property(tensors(), (tensor) => expectSame(parseTensor(`${tensor}`), tensor)),
      3000,
    );
  });

  test("without its type in front, where the type is given, it is too", () => {
    const content = (tensor: Tensor): string => `${tensor}`.slice(`${tensor.type}:`.length);
    holds(
      fc.property(tensors(), (tensor) => expectSame(parseTensor(content(tensor), tensor.type), tensor)),
      1000,
    );
  });

  test("the text of a type is read as that type", () => {
    holds(
      fc.property(types({ most: 6 }), (type) => {
        expect(parseType(`${type}`).toString()).toBe(`${type}`);
        expect(parseType(`${type}`).equals(type)).toBe(true);
      }),
      1000,
    );
  });

  test("labels are never taken for one another", () => {
    const label = fc.string({
      unit: fc.constantFrom("a", "1", ":", ",", " ", "\0", "\\", "'", '"'),
      maxLength: 3,
    });
    const rows = fc.uniqueArray(fc.tuple(label, label), {
      minLength: 2,
      maxLength: 12,
      selector: (row) => JSON.stringify(row),
    });
    holds(
      fc.property(rows, (all) => {
        const cells = all.map(([j, k], value) => ({ address: { j, k }, value }));
        const tensor = Tensor.from(parseType("tensor(j{},k{})"), cells);
        expect(cells.map(({ address }) => tensor.get(address))).toEqual(cells.map(({ value }) => value));
        expectSame(parseTensor(`${tensor}`), tensor);
        expectSame(evaluate("t * u / u", { t: tensor, u: evaluate("t + 1", { t: tensor }) }), tensor);
      }),
      500,
    );
  });

  // A tensor is its cells: a row of none is no row, and of two rows of none nobody can tell how many they are.
  test.each([
    ["tensor(x[])", []],
    ["tensor(x[],y[2])", []],
    ["tensor(x[],y[])", [[], []]],
    ["tensor(k{},x[])", { a: [] }],
    ["tensor(k{},x[],y[2])", { a: [], b: [] }],
  ] as const)("so is that of a %s without cells, made from %j", (type, nested) => {
    const tensor = Tensor.from(parseType(type), nested);
    expectSame(parseTensor(`${tensor}`), tensor);
    const sum = "sum(t, x)";
    expectSame(evaluate(sum, { t: tensor }), evaluate(sum, { t: `${tensor}` }));
  });

  test("nested arrays and objects make the tensor that they came from", () => {
    holds(
      fc.property(tensors(), (tensor) => expectSame(Tensor.from(tensor.type, tensor.toNested()), tensor)),
      1000,
    );
  });

  test("the list of a tensor's cells makes that tensor", () => {
    holds(
      fc.property(tensors(), (tensor) => expectSame(Tensor.from(tensor.type, [...tensor.cells()]), tensor)),
      1000,
    );
  });

  test("the list of cells may be in any order", () => {
    const shuffled = tensors({ least: 1 }).chain((tensor) => {
      const cells = [...tensor.cells()];
      const all = fc.shuffledSubarray(cells, { minLength: cells.length });
      return fc.record({ tensor: fc.constant(tensor), cells: all });
    });
    const some = shuffled.filter(({ cells }) => cells.length > 0);
    holds(
      fc.property(some, ({ tensor, cells }) => expectSame(Tensor.from(tensor.type, cells), tensor)),
      1000,
    );
  });

  test("a typed array makes the dense tensor that it came from", () => {
    // With two sizes unknown an array does not say what is a row.
    const dense = tensors().filter(
      ({ type }) => type.isDense && type.indexed.filter(({ size }) => size === undefined).length < 2,
    );
    holds(
      fc.property(dense, (tensor) => expectSame(Tensor.from(tensor.type, tensor.data), tensor)),
      1000,
    );
  });

  test("every cell is found at its address, and none elsewhere", () => {
    holds(
      fc.property(tensors({ least: 1 }), fc.string(), (tensor, label) => {
        const cells = [...tensor.cells()];
        expect(cells.map(({ address }) => tensor.get(address))).toEqual(cells.map(({ value }) => value));
        const [first] = tensor.type.mapped;
        const taken = new Set(tensor.labels.map((labels) => labels[0]));
        if (first === undefined || taken.has(label)) return;
        for (const { address } of cells)
          expect(tensor.get({ ...address, [first.name]: label })).toBeUndefined();
      }),
      1000,
    );
  });

  test("equal tensors, and only these, are equal from both sides", () => {
    const pairs = types({ most: 2 }).chain((type) => fc.tuple(tensorsOf(type), tensorsOf(type)));
    holds(
      fc.property(pairs, ([one, other]) => {
        const same = JSON.stringify(contents(one), exactly) === JSON.stringify(contents(other), exactly);
        expect(one.equals(other)).toBe(same);
        expect(other.equals(one)).toBe(same);
      }),
      1000,
    );
  });
});

/** What JSON would make `null` or 0 of. */
const exactly = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ||
  (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0)))
    ? `${Object.is(value, -0) ? "-0" : value}`
    : value;

/** Two tensors that can be joined: a dimension that both have is of one kind. */
const joinable = types({ most: 3 }).chain((left) =>
  types({ most: 3 }).chain((right) => {
    const fitting = right.dimensions.map((mine) => {
      const theirs = left.dimension(mine.name);
      return theirs === undefined || theirs.kind === mine.kind ? mine : theirs;
    });
    return fc.record({ a: tensorsOf(left), b: tensorsOf(TensorType.of(right.cellType, fitting)) });
  }),
);

const alike = types({ most: 3 }).chain((type) => fc.record({ a: tensorsOf(type), b: tensorsOf(type) }));

describe("joining", () => {
  test("join is symmetric, if the lambda's parameters change places too", () => {
    holds(
      fc.property(joinable, (inputs) => {
        const [there, back] = ["join(a, b, f(x,y)(x - 2 * y))", "join(b, a, f(y,x)(x - 2 * y))"];
        expectSame(evaluate(there, inputs), evaluate(back, inputs));
      }),
      1000,
    );
  });

  test("merge is, too", () => {
    holds(
      fc.property(alike, (inputs) => {
        const [there, back] = ["merge(a, b, f(x,y)(x - 2 * y))", "merge(b, a, f(y,x)(x - 2 * y))"];
        expectSame(evaluate(there, inputs), evaluate(back, inputs));
      }),
      1000,
    );
  });

  test("an operator is a join with it", () => {
    const operators = fc.constantFrom("+", "-", "*", "/", "%", "^", "<", ">=", "==", "!=", "~=", "&&", "||");
    holds(
      fc.property(joinable, operators, (inputs, operator) => {
        expectSame(
          evaluate(`a ${operator} b`, inputs),
          evaluate(`join(a, b, f(x,y)(x ${operator} y))`, inputs),
        );
      }),
      1000,
    );
  });

  test("a join has the cells that agree, and a merge all", () => {
    const labels = (tensor: Tensor): string[] => tensor.labels.map((row) => JSON.stringify(row));
    holds(
      fc.property(
        types({ least: 1, unbound: false }).chain((type) =>
          fc.record({ a: tensorsOf(type), b: tensorsOf(type) }),
        ),
        (inputs) => {
          const [left, right] = [labels(inputs.a), labels(inputs.b)];
          expect(labels(evaluate("a * b", inputs))).toEqual(left.filter((each) => right.includes(each)));
          expect(new Set(labels(evaluate("merge(a, b, f(x,y)(x))", inputs)))).toEqual(
            new Set([...left, ...right]),
          );
        },
      ),
      1000,
    );
  });
});

describe("reducing", () => {
  /** Over one dimension and then another must be as over both; and over all, one after the other, as at once. */
  function inSteps(tensor: Tensor, aggregator: string, last = aggregator): void {
    const [first = "", second = "", ...more] = tensor.type.names;
    const all = [first, second, ...more].join();
    const of = (inner: string, by: string, over: string): string => `reduce(${inner}, ${by}, ${over})`;
    const pair = of(of("t", aggregator, first), last, second);
    expectEqual(
      evaluate(pair, { t: tensor }),
      evaluate(of("t", aggregator, `${second}, ${first}`), { t: tensor }),
    );
    const steps = [second, ...more].reduce(
      (inner, name) => of(inner, last, name),
      of("t", aggregator, first),
    );
    expectEqual(evaluate(steps, { t: tensor }), evaluate(of("t", aggregator, all), { t: tensor }));
    expectEqual(evaluate(steps, { t: tensor }), evaluate(`reduce(t, ${aggregator})`, { t: tensor }));
  }

  test.each(["max", "min"])("%s in steps is what it is at once", (aggregator) => {
    holds(
      fc.property(tensors({ least: 2 }), (tensor) => inSteps(tensor, aggregator)),
      1000,
    );
  });

  test.each(["sum", "prod"])("%s of small whole numbers in steps is what it is at once", (aggregator) => {
    const whole = tensors({ least: 2, cellTypes: ["double"], cells: smallWhole });
    holds(
      fc.property(whole, (tensor) => inSteps(tensor, aggregator)),
      1000,
    );
  });

  test("count at once is the sum of counts", () => {
    holds(
      fc.property(tensors({ least: 2 }), (tensor) => inSteps(tensor, "count", "sum")),
      1000,
    );
  });

  test("avg is the sum divided by the count", () => {
    const whole = tensors({ least: 1, cellTypes: ["double"], cells: smallWhole }).filter(
      ({ data }) => data.length > 0,
    );
    holds(
      fc.property(whole, (t) => {
        const [name = ""] = t.type.names;
        expectSame(
          evaluate(`avg(t, ${name})`, { t }),
          evaluate(`sum(t, ${name}) / count(t, ${name})`, { t }),
        );
      }),
      1000,
    );
  });
});

describe("renaming, joining end to end, slicing", () => {
  test("rename there and back changes nothing", () => {
    const renamed = tensors({ least: 1 }).chain((t) => {
      const free = dimensionNames.filter((name) => !t.type.names.includes(name));
      return fc.record({
        t: fc.constant(t),
        from: fc.constantFrom(...t.type.names),
        to: fc.constantFrom(...free),
      });
    });
    holds(
      fc.property(renamed, ({ t, from, to }) =>
        expectSame(evaluate(`rename(rename(t, ${from}, ${to}), ${to}, ${from})`, { t }), t),
      ),
      1000,
    );
  });

  test("two dimensions that change names twice are as they were", () => {
    holds(
      fc.property(tensors({ least: 2 }), (t) => {
        const [one, other] = t.type.names;
        const swap = (inner: string): string => `rename(${inner}, (${one}, ${other}), (${other}, ${one}))`;
        expectSame(evaluate(swap(swap("t")), { t }), t);
        const cell = [...t.cells()].at(-1);
        if (cell === undefined || one === undefined || other === undefined) return;
        const swapped = {
          ...cell.address,
          [one]: cell.address[other] ?? "",
          [other]: cell.address[one] ?? "",
        };
        expect(evaluate(swap("t"), { t }).get(swapped)).toBe(cell.value);
      }),
      1000,
    );
  });

  /** A tensor, one of its indexed dimensions of two or more, and a place to cut it there. */
  const cuts = tensors({ least: 1 }).chain((whole) => {
    const cuts = whole.type.indexed.flatMap(({ name }, at) => {
      return Array.from({ length: Math.max((whole.sizes[at] ?? 1) - 1, 0) }, (_, before) => ({
        whole,
        name,
        first: before + 1,
        size: whole.sizes[at] ?? 1,
      }));
    });
    return fc.option(fc.constantFrom(...cuts, undefined), { nil: undefined });
  });
  const possibleCuts = cuts.filter((cut) => cut !== undefined);

  /** The cells of a tensor from one index up to another, along a dimension. */
  function part(whole: Tensor, name: string, from: number, to: number): Tensor {
    const dimensions = whole.type.dimensions.map((each) =>
      each.name === name && each.size !== undefined ? { ...each, size: to - from } : each,
    );
    const cells = [...whole.cells()].flatMap(({ address, value }) => {
      const index = Number(address[name]);
      return index >= from && index < to ? [{ address: { ...address, [name]: index - from }, value }] : [];
    });
    return Tensor.from(TensorType.of(whole.type.cellType, dimensions), cells.length === 0 ? {} : cells);
  }

  test("concat puts a tensor together again, and slices of it are slices of its parts", () => {
    holds(
      fc.property(possibleCuts, ({ whole, name, first, size }) => {
        const [a, b] = [part(whole, name, 0, first), part(whole, name, first, size)];
        const inputs = { whole, a, b };
        expectEqual(evaluate(`concat(a, b, ${name})`, inputs), whole);
        for (let at = 0; at < size; at++) {
          const own = at < first ? `a{${name}:${at}}` : `b{${name}:${at - first}}`;
          expectSame(evaluate(`concat(a, b, ${name}){${name}:${at}}`, inputs), evaluate(own, inputs));
        }
      }),
      1000,
    );
  });
});
