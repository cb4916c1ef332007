import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, compile, evaluate, expand, showProblem } from "../../src/index.js";
import { uniform } from "../../src/program/random.js";
import { ProgramDocument, referencesAt, rename } from "../../src/service/service.js";
import { holds } from "../chance.js";
import { outcome } from "../outcome.js";

/**
 * Scalars that a run decides, in lambdas. What a lambda means with an input in it is what it means with the number in its place,
 * which is another way through the checker: so each program here is compared with itself.
 */

type Inputs = Readonly<Record<string, number | string>>;

const numbers = { c: 2, d: -0.5, e: 7 };
const inputs = Object.keys(numbers)
  .map((name) => `input ${name}: tensor()`)
  .join("\n");
const backends = ["engine", "closures", "reference"] as const;

const tensors = {
  scalar: "3",
  dense: "tensor<float>(x[3]):[1, 0.1, -2]",
  bytes: "tensor<int8>(x[2],y[2]):[1, -2, 3, 100]",
  sparse: "tensor(k{}):{a:1, b:-2, c:0.5}",
  mixed: "tensor<bfloat16>(k{},x[2]):{a:[1, 2], b:[0.1, -4]}",
  "without cells": "tensor(k{},x[2]):{}",
};

/** The value by each backend with the names as inputs. */
const ofInputs = (expression: string): readonly string[] =>
  backends.map((backend) => run(`${inputs}\n${expression}`, {}, backend));

function run(text: string, more: Inputs = {}, backend: (typeof backends)[number] = "engine"): string {
  const own: Inputs = { ...numbers, ...more };
  return `${compile(text, { backend, random: uniform(1) }).run(own)}`;
}

/** The value with a number in the place of each name. */
function ofNumbers(expression: string): string {
  const written = expression.replace(/\b[cde]\b(?!:)/g, (name) => {
    const number = numbers[name as keyof typeof numbers]; // the pattern has no other names
    return number < 0 ? `(${number})` : `${number}`;
  });
  return `${evaluate(written, {}, { backend: "reference" })}`;
}

const same = (expression: string): void =>
  expect(ofInputs(expression)).toEqual(backends.map(() => ofNumbers(expression)));

const bodies = {
  "one name": "pow(x, c)",
  "two names": "x * c + d",
  "names in names": "x * (c + d * e) + c",
  "no parameter": "c + d",
  "a choice": "if(x > d, x * c, e)",
  "a choice by names": "if(c > d, x + c, x - e)",
  "what a list has": "x in [c, d, e]",
  "a tensor in the lambda": "sum(tensor(i[3])(i * x + c)) * d",
  "a tensor of three": "sum(tensor(i[3])(i * x * c + d)) - e",
  "a lambda in the lambda": "sum(map(tensor(i[2])(i + d), f(y)(y * x + c * d)))",
  "a slice in the lambda": "(tensor(i[3])(i * c * x + d)){i:(e - 6)}",
};

describe.each(Object.entries(tensors))("in map of a tensor that is %s", (_, tensor) => {
  test.each(Object.entries(bodies))("%s", (_, body) => same(`map(${tensor}, f(x)(${body}))`));
});

describe.each([
  ["dense", tensors.dense, tensors.bytes],
  ["sparse", tensors.sparse, "tensor(k{}):{b:3, c:4, z:5}"],
  ["mixed", tensors.mixed, tensors.sparse],
  ["a scalar", tensors.mixed, "3"],
])("in join of %s", (_, left, right) => {
  test.each([
    "x * y + c",
    "x * c + y * d",
    "c",
    "y * d",
    "if(x > y, c, d)",
    "sum(tensor(i[2])(i * x + y * c))",
    "sum(tensor(i[2])(i * x * d + y * c)) + e",
  ])("%s", (body) => same(`join(${left}, ${right}, f(x,y)(${body}))`));
});

test.each([
  "x * y + c",
  "x * c + y * d",
  "c",
  "sum(tensor(i[2])(i * x * d + y * c)) + e",
])("in merge: %s", (body) => {
  same(`merge(${tensors.sparse}, tensor(k{}):{b:3, c:4, z:5}, f(x,y)(${body}))`);
  same(`merge(${tensors.dense}, tensor(x[3]):[4, 5, 6], f(x,y)(${body}))`);
});

describe.each([
  "dense",
  "bytes",
  "sparse",
  "mixed",
  "without cells",
] as const)("in subspaces of %s", (name) => {
  const tensor = tensors[name];
  test.each([
    "s * c",
    "sum(s) + d",
    "s * c + d",
    "concat(s, c, z)",
    "sum(s) + sum(map(s, f(y)(y * c + e)))",
  ])("%s", (body) => same(`map_subspaces(${tensor}, f(s)(${body}))`));
  if (!tensor.includes("{}")) return;
  test.each(["sum(s) > d", "s * c + d > e"])("that %s picks", (body) =>
    same(`filter_subspaces(${tensor}, f(s)(${body}))`));
});

test("in generators and functions around the lambda, and in functions that it calls", () => {
  same(`tensor(z[2])(sum(map(${tensors.dense}, f(x)(x * z + c))))`);
  same(`tensor(z[2])(sum(tensor(w[2])(sum(map(${tensors.dense}, f(x)(x * z + w * c))))))`);
  const functions = "scale(t, by) = map(t, f(x)(x * by + by)); shifted(x) = x + c; through(t, h) = map(t, h)";
  const withFunctions = (expression: string, expected: string): void => {
    for (const backend of backends)
      expect(run(`${inputs}; ${functions}; ${expression}`, {}, backend)).toBe(expected);
  };
  const t = "tensor(x[2]):[1, 2]";
  withFunctions(`scale(${t}, c)`, "tensor(x[2]):[4.0, 6.0]");
  withFunctions(`scale(${t}, sum(${t}) * c)`, "tensor(x[2]):[12.0, 18.0]");
  withFunctions(`map(${t}, f(x)(shifted(x * d)))`, "tensor(x[2]):[1.5, 1.0]");
  withFunctions(`through(${t}, f(x)(x * e))`, "tensor(x[2]):[7.0, 14.0]");
  // The same lambda in two places, of which one is in a lambda.
  const twice = "both(t, h) = map(t, f(y)(sum(map(tensor(i[2])(y), h)))) + map(t, h)";
  withFunctions(`${twice}; both(${t}, f(x)(x * e))`, "tensor(x[2]):[21.0, 42.0]");
});

test("a value of the program that depends on inputs, by its name", () => {
  const text = `${inputs}; total = c + d; map(tensor(x[2]):[1, 2], f(x)(x * total))`;
  for (const backend of backends) expect(run(text, {}, backend)).toBe("tensor(x[2]):[1.5, 3.0]");
});

test("one draw is the same for all cells, and a draw in the lambda is one for each", () => {
  const equalToFirst = (body: string): string =>
    run(`${inputs}; r = random(1)[0]; t = map(tensor(x[9])(0), f(x)(${body})); sum(t == t{x:0})`);
  expect(equalToFirst("r * c + d * x")).toBe("tensor():{9.0}");
  expect(equalToFirst("r")).toBe("tensor():{9.0}");
  expect(equalToFirst("x * c + random(1)[0] * c + d")).toBe("tensor():{1.0}");
});

test("sizes that are open are no matter to scalar functions", () => {
  const text = `input t: tensor(x[]); ${inputs}; sum(map(t, f(x)(x * c + d)) * tensor(x[3]):[1, 10, 100])`;
  expect(run(text, { t: "tensor(x[3]):[1,2,3]" })).toBe("tensor():{586.5}");
});

/** The value by each backend for tensors of open sizes, which is the one for tensors of sizes that are declared. */
const sameOfOpen = (expression: string): void => {
  const values = { t: "tensor(x[3]):[1,2,3]", m: "tensor(k{},x[2]):{a:[1,2],b:[3,4]}" };
  const declared = (open: boolean): string =>
    `input t: tensor(x[${open ? "" : 3}]); input m: tensor(k{},x[${open ? "" : 2}]); ${inputs}\n${expression}`;
  const nested = (text: string, backend: (typeof backends)[number]): unknown =>
    compile(text, { backend })
      .run({ ...numbers, ...values })
      .toNested();
  for (const backend of backends)
    expect(nested(declared(true), backend)).toEqual(nested(declared(false), "reference"));
};

describe("sizes that only the inputs of a run tell, in", () => {
  test.each([
    "map_subspaces(m, f(s)(s * c + d))",
    "map_subspaces(t, f(s)(sum(s) * c + d))",
    "map_subspaces(m, f(s)(concat(s, c, x)))",
    "filter_subspaces(m, f(s)(sum(s) * c > e))",
    "map(t, f(x)(sum(tensor(i[3])(i * x * c + d))))",
    "map(m, f(x)(sum(tensor(i[3])(i * x * c + d)))) + t * e",
    "join(t, t, f(x,y)(sum(tensor(i[3])(i * x * y * c + d))))",
    "merge(t, t, f(x,y)(sum(tensor(i[3])(i * x * y * c + d))))",
    "map_subspaces(m, f(s)(map(s, f(x)(sum(tensor(i[3])(i * x * c + d))))))",
    "gradient(sum(map(t, f(x)(sum(tensor(i[3])(i * x * c + d * c))))), c)",
  ])("%s", sameOfOpen);

  test.each(
    ["c", "a * b + c", "a + b * c + d", "sum(tensor(i[2])(a * b + c + i))"].flatMap((body) =>
      ["join", "merge"].flatMap((name) =>
        ["s, o", "o, s"].flatMap((sides) =>
          ["{}", "{{x:0}:7}", "{{x:0}:7,{x:1}:8,{x:2}:9}"].map((cells) => ({ body, name, sides, cells })),
        ),
      ),
    ),
  )("$name($sides, f(a,b)($body)) where the open one is $cells", ({ body, name, sides, cells }) => {
    const program = (text: string): string =>
      `${inputs}; input o: tensor(x[]); s = tensor(x[2]):[1,2]; ${name}(${sides}, f(a,b)(${text}))`;
    const numbers = program(body.replace(/\bc\b/g, "2.0").replace(/\bd\b/g, "(-0.5)"));
    for (const backend of backends) {
      const values = { o: `tensor(x[]):${cells}` };
      expect(run(program(body), values, backend)).toBe(run(numbers, values, backend));
    }
  });

  test("blocks without cells, of which a dense tensor has one", () => {
    const valuesOf = (type: string, body: string): readonly string[] =>
      backends.map((backend) => {
        const text = `input m: ${type}; ${inputs}\nmap_subspaces(m, f(s)(${body}))`;
        return run(text, { m: `${type}:{}` }, backend);
      });
    expect(valuesOf("tensor(k{},x[])", "s * c")).toEqual(backends.map(() => "tensor(k{},x[]):{}"));
    expect(valuesOf("tensor(x[])", "s * c")).toEqual(backends.map(() => "tensor(x[]):{}"));
    expect(valuesOf("tensor(x[])", "sum(s) + d")).toEqual(backends.map(() => "tensor():{-0.5}"));
    expect(valuesOf("tensor(x[])", "tensor(y[2])(y * c)")).toEqual(
      backends.map(() => "tensor(y[2]):[0.0, 2.0]"),
    );
  });

  test("inputs without elements, which do not tell a size, are refused by their names where it decides the program", () => {
    const text = `input m: tensor(k{},x[]); ${inputs}; map(m, f(x)(sum(tensor(i[3])(i * x * c + d))))`;
    const { problems } = outcome(() => run(text, { m: "tensor(k{},x[]):{}" }));
    expect(problems?.map(({ code, description }) => [code, description.found])).toEqual([
      ["program/unsized", "no elements of m"],
    ]);
  });

  describe("where a tensor of open sizes is not given", () => {
    const given = { v: "tensor(x[5]):[4,2,3,1,1]" };
    const joined = (declaration: string): string =>
      `input v: tensor(x[]); ${inputs}; ${declaration}\njoin(q, v, f(a,b)(sum(tensor(y[2])(y * a * b * c / c))))`;
    const text = joined("input q: tensor(x[]) = tensor(x[3]):[1,2,3]");
    test.each(backends)("its default decides, and ends the result: %s", (backend) => {
      expect(run(text, given, backend)).toBe("tensor(x[]):{0:4.0, 1:4.0, 2:9.0}");
      expect(run(text, { ...given, q: "tensor(x[2]):[1,1]" }, backend)).toBe("tensor(x[]):{0:4.0, 1:2.0}");
    });

    test("its default may be all that is there", () => {
      const text = `input v: tensor(x[]) = tensor(x[2]):[1,2]; ${inputs}; map(v, f(a)(sum(tensor(y[2])(y + a * c / c))))`;
      for (const backend of backends) expect(run(text, {}, backend)).toBe("tensor(x[]):{0:3.0, 1:5.0}");
    });

    test.each(["persistent", "variable"])("a %s tensor may have other sizes later", (role) => {
      const { problems } = outcome(() => run(joined(`${role} q: tensor(x[]) = tensor(x[3]):[1,2,3]`), given));
      expect(problems?.map(({ code, description }) => [code, description.found])).toEqual([
        ["program/unsized", "no sizes of q"],
      ]);
    });
  });

  test("a dense block in generators, where the lambda has generators and draws", () => {
    same("tensor(i[2])(sum(map_subspaces(tensor(x[3])(x + i), f(s)(sum(tensor(y[2])(y * i + c)) * s))))");
    const text = `${inputs}; t = tensor(i[9])(sum(map_subspaces(tensor(x[1])(i), f(s)(random(1)[0] * c)))); sum(t == t{i:0})`;
    for (const backend of backends) expect(run(text, {}, backend)).toBe("tensor():{1.0}");
  });
});

describe("an argument in a lambda of the function is its value", () => {
  const three = "h(a) = 3; input t: tensor(x[2]); ";
  const valuesOf = (text: string): readonly string[] =>
    backends.map((backend) => run(`${inputs}\n${three}${text}`, { t: "tensor(x[2]):[1,2]" }, backend));
  test.each([
    ["of which the function called takes no part", "g(h(t * 2))", "x * q", 3],
    ["a tensor of such numbers", "g(tensor(y[3])(y * h(t)))", "x * sum(q)", 9],
    ["a tensor made of scalars that a run decides", "g(tensor(y[3])(y * sum(t) * c))", "x * sum(q)", 18],
    [
      "a tensor of a generator's index",
      "sum(tensor(i[2])(sum(g(tensor(y[3])(y * c + i)))))",
      "x * sum(q)",
      15,
    ],
    [
      "with generators in generators",
      "sum(tensor(i[2])(sum(g(tensor(y[3])(y * sum(w) * sum(tensor(u[2])(u + y + i)))))))",
      "x * sum(q)",
      96,
    ],
    [
      "a number with a generator, below generators",
      "sum(tensor(i[2])(sum(g(sum(tensor(y[3])(y))))))",
      "x * sum(tensor(a[2])(a + q))",
      14,
    ],
  ])("%s", (_, call, body, value) => {
    const functions = "w = tensor(z[2])(z + 1); g(q) = map(tensor(k{}):{a:1}, f(x)(%))";
    expect(valuesOf(`${functions.replace("%", body)}; sum(${call})`)).toEqual(
      backends.map(() => `tensor():{${value}.0}`),
    );
  });

  test("a number of the program, where its definition names a tensor that plays no part", () => {
    expect(valuesOf("n = sum(tensor(i[4])(i)) + h(t * 2); map(t, f(x)(x * n))")).toEqual(
      backends.map(() => "tensor(x[2]):[9.0, 18.0]"),
    );
  });

  test("and a tensor that a run decides, or draws, is refused", () => {
    for (const argument of ["t * 2", "random(x[2])"]) {
      const { problems } = outcome(() =>
        compile(`${three}g(q) = map(tensor(k{}):{a:1}, f(x)(x * sum(q))); g(${argument})`),
      );
      expect(problems?.map(({ code }) => code)).toEqual(["name/captured"]);
    }
  });

  test("Vespa, where it is text, is told of names of the program in it, once", () => {
    const codes = (argument: string, dialect: "formalism" | "vespa"): readonly string[] =>
      check(`n = 3; k(a) = a * n; g(q) = map(tensor(k{}):{a:1}, f(x)(x * q)); g(${argument})`, { dialect })
        .map(({ code }) => code)
        .filter((code) => code.includes("captured"));
    for (const argument of ["n * 2", "k(2)", "3 * 2", "sum(tensor(n[2])(n))"])
      expect(codes(argument, "formalism").length).toBe(codes(argument, "vespa").length);
    expect(codes("n * 2", "formalism")).toEqual(["portability/captured"]);
    expect(codes("3 * 2", "formalism")).toEqual([]);
  });
});

test("derivatives in what a lambda sees", () => {
  const valueWith = (expression: string): string => run(`${inputs}; ${expression}`);
  expect(valueWith("gradient(sum(map(tensor(x[2]):[1, 3], f(x)(pow(x, 2) * c))), c)")).toBe(
    "tensor():{10.0}",
  );
  // d/dc of c * x + d * c, over x of 1 and 3
  expect(valueWith("gradient(sum(map(tensor(x[2]):[1, 3], f(x)(c * x + d * c))), c)")).toBe("tensor():{3.0}");
  expect(valueWith("gradient(sum(map(tensor(x[2]):[1, 3], f(x)(if(x > c, x * d, d * d)))), d)")).toBe(
    "tensor():{2.0}",
  );
});

test("tells once each that Vespa does not have it, and refuses it there", () => {
  const text = `${inputs}\nmap(tensor(x[2]):[1, 2], f(x)(x * c + c + d))`;
  const codes = check(text).map(({ code }) => code);
  expect(codes.filter((code) => code.startsWith("portability"))).toEqual([
    "portability/captured",
    "portability/captured",
    "portability/captured",
  ]);
  const { problems } = outcome(() => compile(text, { dialect: "vespa" }));
  expect(problems?.map(({ code }) => code)).toEqual(["name/captured", "name/captured", "name/captured"]);
});

test.each([
  "map(t, f(x)(pow(x, c)))",
  "map(t, f(x)(if(x > c, d, x)))",
  "map(k, f(x)(sum(tensor(i[3])(i * x * c + d))))",
  "join(t, k, f(x, y)(x * c + y * d))",
  "merge(t, t, f(x, y)(x + y * c))",
  "map_subspaces(m, f(b)(b * c))",
  "filter_subspaces(m, f(b)(sum(b) > c))",
])("Vespa has what sphex expand prints, as the hint says: %s", (text) => {
  const types = { c: "tensor()", d: "tensor()", t: "tensor(x[3])", k: "tensor(k{})", m: "tensor(k{},x[2])" };
  const [problem] = check(text, { dialect: "vespa", inputs: types });
  expect(problem && showProblem(problem)).toContain("hint: sphex expand");
  compile(expand(text, { inputs: types }), { dialect: "vespa", inputs: types });
});

/** A body of a lambda over x and the names, so deep. */
const bodyOf = (depth: number): fc.Arbitrary<string> => {
  const leaf = fc.constantFrom("x", "x", "c", "d", "e", "1.5");
  if (depth === 0) return leaf;
  const part = bodyOf(depth - 1);
  return fc.oneof(
    leaf,
    fc
      .tuple(part, fc.constantFrom("+", "-", "*", "/", ">", "=="), part)
      .map(([a, by, b]) => `(${a} ${by} ${b})`),
    fc.tuple(part, part, part).map(([a, b, c]) => `if(${a}, ${b}, ${c})`),
    fc.tuple(fc.constantFrom("relu", "abs", "sign"), part).map(([name, a]) => `${name}(${a})`),
    fc.tuple(part, part).map(([a, b]) => `sum(tensor(i[2])(i * ${a} + ${b}))`),
    fc.tuple(part, part).map(([a, b]) => `sum(map(tensor(i[2])(i * ${a}), f(y)(y + ${b})))`),
  );
};

test("whatever the lambda is made of", () => {
  const property = fc.property(fc.constantFrom(...Object.values(tensors)), bodyOf(3), (tensor, body) => {
    same(`map(${tensor}, f(x)(${body}))`);
  });
  holds(property, 60);
});

describe("in an editor, what a lambda sees", () => {
  const text = "input c: tensor()\nmap(tensor(x[2]):[1, 2], f(v)(v * c))";
  const document = new ProgramDocument("text", text);
  const at = text.lastIndexOf("c");

  test("is found with all that refers to it, and has its type shown", () => {
    const starts = referencesAt(document.analysis, at).map(({ start }) => start);
    expect(starts).toEqual([text.indexOf("c:"), at]);
    expect(document.hover(at)?.code).toBe("input c: tensor()");
  });

  test("is renamed, but to no parameter of the lambda", () => {
    const edits = rename(document.analysis, at, "scale");
    if ("refused" in edits) throw new Error(edits.refused);
    let renamed = text;
    for (const edit of [...edits].sort((a, b) => b.span.start - a.span.start))
      renamed = renamed.slice(0, edit.span.start) + edit.text + renamed.slice(edit.span.end);
    expect(renamed).toBe("input scale: tensor()\nmap(tensor(x[2]):[1, 2], f(v)(v * scale))");
    expect(rename(document.analysis, at, "v")).toHaveProperty("refused");
  });
});

test("what a lambda makes of the two cells alone is one join", () => {
  const inputs = { t: "tensor(x[3])", u: "tensor(x[3])", s: "tensor()" };
  expect(expand("join(t, u, f(a,b)(a - b * 2 + s))", { inputs })).toBe(
    "join(join(t, u, f(a,b)(a - b * 2)), s, f(a,b)(a + b))",
  );
});
