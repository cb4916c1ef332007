import fc from "fast-check";

/**
 * Random expressions on these tensors. Most are well typed; nothing in them can become NaN, or overflow: no division,
 * no power, and factors only as many as the expression is deep.
 */
export const tensorsByName = {
  s: "tensor():{2}",
  a: "tensor(x[3]):[1,-2,0]",
  b: "tensor(x[3],y[2]):[[3,1],[0,-1],[2,2]]",
  k: "tensor(k{}):{p:3,q:-1,r:0}",
  m: "tensor(k{},x[3]):{p:[1,0,-3],s:[2,2,1]}",
  n: "tensor<float>(j{},k{}):{{j:u,k:p}:0.5,{j:v,k:q}:-4}",
  c: "tensor<int8>(x[3]):[7,-7,1]",
  h: "tensor<bfloat16>(y[2]):[1.5,-0.25]",
  u: "tensor(x[]):[4,-1]",
  v: "tensor<half>(k{},y[]):{{k:p,y:0}:1,{k:p,y:1}:-0.5,{k:p,y:2}:3}",
} as const;

const dimension = fc.constantFrom("x", "y", "k", "j", "z");
const aggregator = fc.constantFrom("avg", "count", "max", "median", "min", "sum");
const operator = fc.constantFrom("+", "-", "*", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "~=");

/** The parts joined in order. */
const text = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((all) => all.join(""));

/** Expressions on some of the tensors. */
export const expressionsOn = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.letrec<{ expression: string }>((tie) => {
    const inner = tie("expression");
    return {
      expression: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        { weight: 6, arbitrary: fc.constantFrom(...names) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }).map(String) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            "tensor(x[3]):{{x:1}:s}",
            "tensor(x[3],z[1]):{{z:0,x:2}:s}",
            "tensor(x{}):{p:s,q:1}",
          ),
        },
        { weight: 6, arbitrary: text("(", inner, " ", operator, " ", inner, ")") },
        {
          weight: 2,
          arbitrary: text(
            fc.constantFrom("-", "!", "abs", "floor", "relu", "sign", "isNan", "sigmoid", "cos"),
            "(",
            inner,
            ")",
          ),
        },
        {
          weight: 3,
          arbitrary: text(fc.constantFrom("max", "min", "hamming", "bit"), "(", inner, ", ", inner, ")"),
        },
        { weight: 4, arbitrary: text(aggregator, "(", inner, ", ", dimension, ")") },
        { weight: 1, arbitrary: text("reduce(", inner, ", ", aggregator, ")") },
        { weight: 1, arbitrary: text("prod(sign(", inner, "), ", dimension, ")") },
        { weight: 2, arbitrary: text("rename(", inner, ", ", dimension, ", ", dimension, ")") },
        { weight: 2, arbitrary: text("concat(", inner, ", ", inner, ", ", dimension, ")") },
        { weight: 1, arbitrary: text("if(s > ", fc.constantFrom("1", "2"), ", ", inner, ", ", inner, ")") },
        { weight: 1, arbitrary: text("(", inner, " in [0, 2, s])") },
        { weight: 1, arbitrary: text("merge(", inner, ", ", inner, ", f(p,q)(max(p,q) - p))") },
        { weight: 1, arbitrary: text("join(", inner, ", ", inner, ", f(p,q)(min(p,q) * 2 - q))") },
        { weight: 1, arbitrary: text("map(", inner, ", f(p)(if(p < 1, -p, p)))") },
        { weight: 1, arbitrary: text("map_subspaces(", inner, ", f(p)(max(p, 1)))") },
        { weight: 1, arbitrary: text("filter_subspaces(", inner, ", f(p)(p > 0))") },
        { weight: 1, arbitrary: text("cell_order(", inner, ", ", fc.constantFrom("max", "min"), ")") },
        { weight: 1, arbitrary: text("argmax(", inner, ", ", dimension, ")") },
        { weight: 1, arbitrary: text("top(2, ", inner, ")") },
        {
          weight: 1,
          arbitrary: text("(", inner, "){", dimension, ":", fc.constantFrom("0", "1", "p", "(s - 1)"), "}"),
        },
        {
          weight: 1,
          arbitrary: text(
            "cell_cast(",
            inner,
            ", ",
            fc.constantFrom("float", "int8", "bfloat16", "double"),
            ")",
          ),
        },
        { weight: 1, arbitrary: text("tensor(x[3])(max(x, sum(", inner, ")))") },
        { weight: 1, arbitrary: text("switch (s) { case 2: ", inner, ", default: ", inner, " }") },
      ),
    };
  }).expression;
