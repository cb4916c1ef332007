import { describe, expect, test } from "vitest";
import { evaluate, parseTensor, showTensor, Tensor, TensorType } from "../../src/index.js";
import { columnsOf } from "../../src/language/source/columns.js";
import { indexed, mapped } from "../../src/language/types/type.js";

/** How tensors look to people, by example and at several widths. */

const pretty = (expression: string, width = 80): string =>
  showTensor(evaluate(expression), { format: "pretty", width });

/** Lines as they are written here, without the indent and the empty first and last line. */
function screen(text: string): string {
  const lines = text.replace(/^\n|\n\s*$/g, "").split("\n");
  const indent = Math.min(...lines.filter((line) => line !== "").map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent)).join("\n");
}

describe("pretty shows", () => {
  test("a scalar as its number", () => {
    expect(pretty("1 / 3")).toBe("0.3333333333333333");
    expect(pretty("0 / 0")).toBe("NaN");
  });

  test("a vector on a line", () => {
    expect(pretty("tensor(x[4])(x / 3 - 1)")).toBe("tensor(x[4])\n[-1, -0.666667, -0.333333, 0]");
    expect(pretty("tensor<int8>(x[2]):[1,-2]")).toBe("tensor<int8>(x[2])\n[1, -2]");
  });

  test("a long vector without its middle, and how long that is", () => {
    const squares = "tensor(x[1000])(x * x)";
    expect(pretty(squares).split("\n")[1]).toBe(
      "[0, 1, 4, 9, 16, 25, … 989 more …, 990025, 992016, 994009, 996004, 998001]",
    );
    expect(pretty(squares, 40).split("\n")[1]).toBe("[0, 1, 4, … 995 more …, 996004, 998001]");
    expect(pretty(squares, 160).split("\n")[1]).toMatch(/^\[0, 1, .*, 100, 121, … 976 more …, 976144, .*\]$/);
  });

  test("a sparse vector as labels and values", () => {
    expect(pretty("tensor(k{}):{b:2.5, a:1, 'two words':-1000, c:0.001}")).toBe(
      screen(`
        tensor(k{})
        a         │     1
        b         │     2.5
        c         │     0.001
        two words │ -1000
      `),
    );
  });

  test("a long sparse vector without its middle", () => {
    const cells = Array.from({ length: 1000 }, (_, at) => `n${String(at).padStart(3, "0")}:${at}`);
    const lines = pretty(`tensor(k{}):{${cells.join(",")}}`).split("\n");
    expect(lines).toHaveLength(22);
    expect(lines.slice(9, 14)).toEqual([
      "n008 │   8",
      "n009 │   9",
      "… 980 more …",
      "n990 │ 990",
      "n991 │ 991",
    ]);
  });

  test("a matrix as a grid with its names and indexes", () => {
    expect(pretty("tensor(x[3],y[4])(x + y / 3)")).toBe(
      screen(`
        tensor(x[3],y[4])
        x\\y │ 0         1         2  3
        ────┼─────────────────────────
          0 │ 0  0.333333  0.666667  1
          1 │ 1  1.33333   1.66667   2
          2 │ 2  2.33333   2.66667   3
      `),
    );
  });

  const wide = "tensor(x[3],y[40])(x + y / 3)";

  test("as many columns as an 80-column screen has room for", () => {
    expect(pretty(wide)).toBe(
      screen(`
        tensor(x[3],y[40])
        x\\y │ 0         1         2  3        4  … 31 more …  36       37       38  39
        ────┼─────────────────────────────────────────────────────────────────────────
          0 │ 0  0.333333  0.666667  1  1.33333       …       12  12.3333  12.6667  13
          1 │ 1  1.33333   1.66667   2  2.33333       …       13  13.3333  13.6667  14
          2 │ 2  2.33333   2.66667   3  3.33333       …       14  14.3333  14.6667  15
      `),
    );
  });

  test("more of them on one of 160", () => {
    const lines = pretty(wide, 160).split("\n");
    expect(lines[1]).toBe(
      "x\\y │ 0         1         2  3        4        5  6        7        8  9  … 20 more …  " +
        "30       31       32  33       34       35  36       37       38  39",
    );
    expect(lines[3]).toBe(
      "  0 │ 0  0.333333  0.666667  1  1.33333  1.66667  2  2.33333  2.66667  3       …       " +
        "10  10.3333  10.6667  11  11.3333  11.6667  12  12.3333  12.6667  13",
    );
  });

  test("a long matrix without its middle rows", () => {
    const lines = pretty("tensor(x[100],y[2])(x + y)").split("\n");
    expect(lines).toHaveLength(24);
    expect(lines.slice(11, 15)).toEqual(["  8 │  8    9", "  9 │  9   10", "… 80 more …", " 90 │ 90   91"]);
    expect(lines.at(-1)).toBe(" 99 │ 99  100");
  });

  test("a sparse matrix as a grid with holes", () => {
    expect(
      pretty("tensor(dt{},qt{}):{{dt:automobile,qt:car}:4,{dt:automobile,qt:red}:1.5,{dt:crimson,qt:car}:2}"),
    ).toBe(
      screen(`
        tensor(dt{},qt{})
        dt\\qt      │ car  red
        ───────────┼─────────
        automobile │   4  1.5
        crimson    │   2  ·
      `),
    );
  });

  test("a matrix of hardly anything but holes as a list", () => {
    const cells = ["a", "b", "c", "d", "e"].map((label, at) => `{i:${label},j:${label}}:${at}`);
    expect(pretty(`tensor(i{},j{}):{${cells.join(",")}}`)).toBe(
      screen(`
        tensor(i{},j{})
        i  j │ value
        ─────┼──────
        a  a │     0
        b  b │     1
        c  c │     2
        d  d │     3
        e  e │     4
      `),
    );
  });

  test("a mixed tensor as a row for each label, whichever dimension comes first", () => {
    const cells = "{z:second,x:0}:0.5, {z:second,x:1}:-2, {z:second,x:2}:1e9, {z:first,x:0}:1";
    expect(pretty(`tensor<float>(x[3],z{}):{${cells}}`)).toBe(
      screen(`
        tensor<float>(x[3],z{})
        z\\x    │   0   1    2
        ───────┼─────────────
        first  │ 1     0  0
        second │ 0.5  -2  1e9
      `),
    );
  });

  test("a row for each combination of several labels", () => {
    expect(pretty("tensor(i{},j{},x[2]):{{i:a,j:b,x:0}:1, {i:a,j:c,x:1}:2, {i:b,j:c,x:1}:3}")).toBe(
      screen(`
        tensor(i{},j{},x[2])
        i  j\\x │ 0  1
        ───────┼─────
        a  b   │ 1  0
        a  c   │ 0  2
        b  c   │ 0  3
      `),
    );
  });

  test("a grid for each index or label of the outer dimensions, side by side where there is room", () => {
    expect(pretty("tensor(a[3],x[2],y[2])(a + x * y)", 36)).toBe(
      screen(`
        tensor(a[3],x[2],y[2])
        a: 0          a: 1
        x\\y │ 0  1    x\\y │ 0  1
        ────┼─────    ────┼─────
          0 │ 0  0      0 │ 1  1
          1 │ 0  1      1 │ 1  2

        a: 2
        x\\y │ 0  1
        ────┼─────
          0 │ 2  2
          1 │ 2  3
      `),
    );
    expect(pretty("tensor(i{},x[2],y[3]):{a:[[1,2,3],[4,5,6]], 'b c':[[1,2,3],[4,5,60000]]}")).toBe(
      screen(`
        tensor(i{},x[2],y[3])
        i: a             i: b c
        x\\y │ 0  1  2    x\\y │ 0  1      2
        ────┼────────    ────┼────────────
          0 │ 1  2  3      0 │ 1  2      3
          1 │ 4  5  6      1 │ 4  5  60000
      `),
    );
  });

  test("many such grids without those in the middle", () => {
    expect(pretty("tensor(a[20],b[2],x[1],y[2])(a + b)", 160)).toBe(
      screen(`
        tensor(a[20],b[2],x[1],y[2])
        a: 0, b: 0    a: 0, b: 1    a: 1, b: 0    a: 1, b: 1    … 32 more …    a: 18, b: 0     a: 18, b: 1     a: 19, b: 0     a: 19, b: 1
        x\\y │ 0  1    x\\y │ 0  1    x\\y │ 0  1    x\\y │ 0  1                   x\\y │  0   1    x\\y │  0   1    x\\y │  0   1    x\\y │  0   1
        ────┼─────    ────┼─────    ────┼─────    ────┼─────                   ────┼───────    ────┼───────    ────┼───────    ────┼───────
          0 │ 0  0      0 │ 1  1      0 │ 1  1      0 │ 2  2                     0 │ 18  18      0 │ 19  19      0 │ 19  19      0 │ 20  20
      `),
    );
  });

  test("sparse tensors of three dimensions as grids or as a list", () => {
    const cells = ["a", "b"].flatMap((i) =>
      ["c", "d"].flatMap((j) => ["e", "f"].map((k) => `{i:${i},j:${j},k:${k}}:1`)),
    );
    expect(pretty(`tensor(i{},j{},k{}):{${cells.join(",")}}`)).toBe(
      screen(`
        tensor(i{},j{},k{})
        i: a          i: b
        j\\k │ e  f    j\\k │ e  f
        ────┼─────    ────┼─────
        c   │ 1  1    c   │ 1  1
        d   │ 1  1    d   │ 1  1
      `),
    );
    expect(pretty("tensor(i{},j{},k{}):{{i:a,j:b,k:c}:1, {i:b,j:c,k:d}:2}")).toBe(
      screen(`
        tensor(i{},j{},k{})
        i  j  k │ value
        ────────┼──────
        a  b  c │     1
        b  c  d │     2
      `),
    );
  });

  test("that there is nothing to show", () => {
    const sizeless = Tensor.from(TensorType.of("double", [indexed("x")]), []);
    expect(pretty("tensor(k{},x[2]):{}")).toBe("tensor(k{},x[2])\nno cells");
    expect(showTensor(sizeless, { format: "pretty" })).toBe("tensor(x[])\nno cells");
  });

  test("NaN, infinities and the sign of zero", () => {
    const [zeros, ones] = ["tensor(k{}):{a:0,b:0,c:0,d:-1}", "tensor(k{}):{a:1,b:0,c:-1,d:4}"];
    expect(pretty(`${ones} / ${zeros}`)).toBe(
      screen(`
        tensor(k{})
        a │  Infinity
        b │       NaN
        c │ -Infinity
        d │        -4
      `),
    );
    expect(pretty("tensor(x[2]):[0,-0.0]")).toBe("tensor(x[2])\n[0, -0]");
  });

  // biome-ignore format: a table
  test.each([
    ["double", "123456.789",       "123457"],
    ["double", "16777217",         "16777217"],
    ["double", "999999999.6",      "1e9"],
    ["double", "1234567890",       "1.23457e9"],
    ["double", "0.000123456789",   "0.000123457"],
    ["double", "0.00009999999",    "0.0001"],
    ["double", "-0.0000123",       "-1.23e-5"],
    ["double", "0.1",              "0.1"],
    ["float",  "0.1",              "0.1"],
    ["long",   "9007199254740991", "9007199254740991"],
  ])("a %s of %s as %s", (cellType, number, shown) => {
    expect(showTensor(parseTensor(`tensor<${cellType}>(x[1]):[${number}]`), { format: "pretty" })).toBe(
      `${cellType === "double" ? "tensor" : `tensor<${cellType}>`}(x[1])\n[${shown}]`,
    );
  });

  test("a long type in several lines", () => {
    const names = Array.from({ length: 6 }, (_, at) => `dimension_${at}`);
    const type = TensorType.of("double", names.map(mapped));
    expect(showTensor(Tensor.from(type, {}), { format: "pretty", width: 40 })).toBe(
      screen(`
        tensor(dimension_0{},dimension_1{},
          dimension_2{},dimension_3{},
          dimension_4{},dimension_5{})
        no cells
      `),
    );
  });
});

describe("labels of strangers", () => {
  const labels = (...all: string[]): Tensor =>
    Tensor.from(
      TensorType.of("double", [mapped("k")]),
      all.map((k, value) => ({ address: { k }, value })),
    );

  test("take the columns that they take, and are quoted where they would not be clear", () => {
    expect(showTensor(labels("", "漢字", "🐝", "e\u0301", " x", "a │ 1"), { format: "pretty" })).toBe(
      screen(`
        tensor(k{})
        ''      │ 0
        ' x'    │ 4
        'a │ 1' │ 5
        e\u0301       │ 3
        漢字    │ 1
        🐝      │ 2
      `),
    );
  });

  test.each(["pretty", "table", "markdown"] as const)("cannot command a terminal, as %s", (format) => {
    const text = showTensor(labels("\x1b[2J", "a\nb", "\u202egnp", "\x07", "\x9b31m"), { format });
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).toContain("␛[2J".replace("[", format === "markdown" ? "\\[" : "["));
  });

  test("are cut where they are long", () => {
    const lines = showTensor(labels("a".repeat(1000), "漢".repeat(1000)), { format: "pretty" }).split("\n");
    expect(lines.map(columnsOf).every((columns) => columns <= 80)).toBe(true);
    expect(lines[1]).toMatch(/^a{50,}… │ 0$/);
  });

  test("mean nothing to Markdown", () => {
    expect(showTensor(labels("a|b", "<b>", "[x](y)", "foo_bar", "_it_"), { format: "markdown" })).toBe(
      screen(`
        | k        | value |
        | -------- | ----: |
        | &lt;b\\>  |   1.0 |
        | \\[x\\](y) |   2.0 |
        | \\_it\\_   |   4.0 |
        | a\\|b     |   0.0 |
        | foo_bar  |   3.0 |
      `),
    );
  });
});

describe("colour", () => {
  test("dims what is not a number, and changes nothing else", () => {
    const grid = evaluate("tensor(x[2],y[2])(x + y)");
    const coloured = showTensor(grid, { format: "pretty", colour: true });
    expect(coloured).toContain("\x1b[2m  0 │ \x1b[22m0  1\n");
    expect(coloured.replaceAll("\x1b[2m", "").replaceAll("\x1b[22m", "")).toBe(
      showTensor(grid, { format: "pretty" }),
    );
  });
});
