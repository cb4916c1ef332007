import { expect, test } from "vitest";
import { operators } from "../../src/language/scalar/operators.js";
import { indexed, mapped, TensorType } from "../../src/language/types/type.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { patient } from "../patience.js";
import { Hunt } from "./hunt.js";
import { type Given, resultsOfText } from "./text/handover.js";
import { LeftOut, Refused } from "./text/refusal.js";
import { ways } from "./ways.js";

/** The evaluator of the hunt that goes from the text of a program to its values: that it is right, and what it finds. */

// By the examples and rules of the description of the language.
// biome-ignore format: a table
test.each([
  ["-2^2 + 2^3^2", "tensor():{516.0}"], // 4 + 512
  ["8*2%3 - 1<2==1", "tensor():{1.0}"], // ((8*2)%3 - 1 < 2) == 1
  ["1 || 0 && 0", "tensor():{1.0}"],
  ["0 && 1 in [1]; 5 in []; !!3", "tensor():{0.0}; tensor():{0.0}; tensor():{1.0}"],
  ["1. + 1e1 # eleven", "tensor():{11.0}"],
  ["1 ~= 1.0000000000000002", "tensor():{1.0}"],
  ["ldexp(3,2.9); ldexp(3,0/0); ldexp(1,1e9)", "tensor():{12.0}; tensor():{0.0}; tensor():{Infinity}"],
  ["ldexp(3,-1075)", "tensor():{1.0E-323}"], // 1.5 steps of 2^-1074, of 1 and 2 the even one
  ["bit(-43,7); bit(1,0/0); bit(4294967298,1); bit(3,8)", "tensor():{1.0}; tensor():{1.0}; tensor():{1.0}; tensor():{0.0}"],
  ["hamming(300,0); round(-2.5); round(0/0); sign(0)", "tensor():{3.0}; tensor():{-2.0}; tensor():{0.0}; tensor():{1.0}"],
  ["max(0/0,1); tensor():{}; sum(tensor(k{}):{})", "tensor():{NaN}; tensor():{NaN}; tensor():{0.0}"],
  ["tensor<int8>(x[2])(x*200)", "tensor<int8>(x[2]):[0, -56]"],
  ["cell_cast(tensor(x[1])(1/3),bfloat16)", "tensor<bfloat16>(x[1]):[0.33203125]"],
  ["cell_cast(tensor(x[2]):[2049,1e6],half)", "tensor<half>(x[2]):[2048.0, Infinity]"],
  ["tensor<int8>(x[1]):[1] + tensor<bfloat16>(x[1]):[1.004]", "tensor<float>(x[1]):[2.0]"],
  ["tensor(x[3]):[1,2,3] * tensor(x[2]):[4,5]", "tensor(x[2]):[4.0, 10.0]"],
  ["concat(tensor(x[1],y[2]):[[1,2]], tensor(y[1]):[3], x)", "tensor(x[2],y[2]):[[1.0, 2.0], [3.0, 0.0]]"],
  ["merge(tensor(k{}):{a:1,b:2}, tensor(k{}):{b:3,c:4}, f(x,y)(x-y))", "tensor(k{}):{a:1.0, b:-1.0, c:4.0}"],
  ["rename(tensor(k{},x[2]):{a:[1,2]}, (k,x), (x,k))", "tensor(k[2],x{}):{a:[1.0, 2.0]}"],
  ["tensor(y[2],x[2]):[[1,2],[3,4]]", "tensor(x[2],y[2]):[[1.0, 3.0], [2.0, 4.0]]"],
  ["tensor(k{}):{a:1,b:2}{k:c} + tensor(x[2]):[5,6]{x:(1.9)}", "tensor():{6.0}"],
  ["tensor(k{}):{NaN:1,Infinity:2,3:4}{k:(0/0)} + tensor(k{}):{Infinity:2}{k:(1/0)}", "tensor():{0.0}"],
  ["cell_order(tensor(x[4]):[5,0/0,9,5], max)", "tensor(x[4]):[1.0, 3.0, 0.0, 2.0]"],
  ["top(2.5, tensor(k{}):{a:3,b:1,c:2})", "tensor(k{}):{a:3.0, b:1.0, c:2.0}"],
  ["argmax(tensor(x[3]):[2,2,1])", "tensor(x[3]):[1.0, 1.0, 0.0]"],
  ["map_subspaces(tensor(k{},x[2]):{a:[1,2]}, f(t)(concat(t,t,y)))", "tensor(k{},x[2],y[2]):{a:[[1.0, 1.0], [2.0, 2.0]]}"],
  ["filter_subspaces(tensor(k{},x[2]):{a:[1,-1],b:[0,2]}, f(t)(t))", "tensor(k{},x[2]):{b:[0.0, 2.0]}"],
  ["unpack_bits(tensor<int8>(x[1]):[3])", "tensor<float>(x[8]):[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0]"],
  ["g(t,d,n) = max(t,d) + tensor(d[n])(d); g(tensor(x[2]):[1,7],x,2)", "tensor(x[2]):[7.0, 8.0]"],
  ["g(t,d) = tensor(d[2])(t{d:1} + d); g(tensor(x[2]):[1,7],x)", "tensor(x[2]):[7.0, 8.0]"],
  ["x = 10; h(a) = a + x; tensor(x[2])(h(x))", "tensor(x[2]):[10.0, 11.0]"],
  ["switch(2){case 1: 10, case 2: 20, default: 30}", "tensor():{20.0}"],
])("%s is %s", (text, values) => {
  expect(resultsOfText(text, new Map(), "formalism").join("; ")).toBe(values);
});

test("it refuses what has no meaning, and leaves out what it does not know", () => {
  const run = (text: string) => () => resultsOfText(text, new Map(), "formalism");
  for (const text of [
    "sum(tensor(x[2]):[1,2], y)",
    "rename(5, x, y)",
    "if(tensor(x[1]):[1], 1, 2)",
    "1 +",
    "nothing",
  ])
    expect(run(text), text).toThrow(Refused);
  for (const text of ["'a' == 'a'", "random(x[2])", "bit_and(1, 2)"])
    expect(run(text), text).toThrow(LeftOut);
});

test("a tensor of no cells has no size where its type has none", () => {
  const type = TensorType.of("double", [mapped("k"), indexed("x")]);
  const tensor = Tensor.from(type, [{ address: { k: "a", x: 1 }, value: 2 }]);
  const inputs = new Map<string, Given>([["t", { type, tensor }]]);
  const [left, rest] = resultsOfText("filter_subspaces(t, f(s)(0)); sum(t, k)", inputs, "formalism");
  expect([left?.sizes, left?.rows, rest?.sizes]).toEqual([[0], 0, [2]]);
});

test("a subspace that becomes shorter than another one ends in zeros", () => {
  const type = TensorType.of("double", [mapped("k"), indexed("x")]);
  const tensor = Tensor.from(type, { a: [1, 2], b: [0, 1] });
  const inputs = new Map<string, Given>([["t", { type, tensor }]]);
  const text = "map_subspaces(t, f(s)(if(sum(s) > 2, s, tensor(x[1]):[7])))";
  const [result] = resultsOfText(text, inputs, "formalism");
  expect(`${result}`).toBe("tensor(k{},x[]):{{k:a,x:0}:1.0, {k:a,x:1}:2.0, {k:b,x:0}:7.0, {k:b,x:1}:0.0}");
});

/** Each changes what all ways share, and gives what undoes it. */
const shared = [
  {
    mistake: "% is the angle of a point",
    found: / % /,
    plant: () => {
      const row: { function: string } = operators["%"];
      const { function: own } = row;
      row.function = "atan2";
      return () => {
        row.function = own;
      };
    },
  },
  {
    mistake: "< binds as + does",
    found: / < /,
    plant: () => {
      const row: { tightness: number } = operators["<"];
      const { tightness } = row;
      row.tightness = operators["+"].tightness;
      return () => {
        row.tightness = tightness;
      };
    },
  },
];

test.each(shared)("it finds, and no other way does, that $mistake", patient, ({ found, plant }) => {
  const seed = 2;
  const fromText = ways.filter(({ name }) => name === "from the text").map((way) => ({ ...way, oneOf: 1 }));
  const others = ways.filter(({ name }) => name !== "from the text");
  const undo = plant();
  try {
    const hunt = new Hunt({ seed, ways: fromText });
    while (hunt.disagreements === 0) hunt.more();
    for (const { text, number } of hunt.found.values()) {
      expect(text).toMatch(found);
      expect(new Hunt({ seed, ways: others }).only(number)).toEqual([]);
    }
  } finally {
    undo();
  }
});
