import fc from "fast-check";

/**
 * Random expressions to differentiate: all operations of the language on tensors of all kinds. The cells of the tensors are no
 * whole numbers, so that few expressions have a corner at them, and functions are bounded, so that slopes are.
 */
export const differentiableTensors = {
  s: "tensor():{0.7}",
  a: "tensor(x[3]):[1.13,-0.41,0.27]",
  b: "tensor(x[3],y[2]):[[0.31,1.21],[0.83,-1.37],[-0.59,0.47]]",
  k: "tensor(k{}):{p:1.19,q:-0.61,r:0.37}",
  m: "tensor(k{},x[3]):{p:[0.71,-0.23,1.31],s:[0.17,0.93,-1.09]}",
  n: "tensor(j{},k{}):{{j:u,k:p}:0.53,{j:v,k:q}:-1.47,{j:u,k:q}:0.89}",
  u: "tensor(x[]):[0.67,-1.27]",
  v: "tensor(k{},y[]):{{k:p,y:0}:1.03,{k:p,y:1}:-0.57,{k:q,y:0}:0.29,{k:q,y:1}:1.61}",
} as const;

export const tensorNames = Object.keys(differentiableTensors) as (keyof typeof differentiableTensors)[]; // those above

const dimension = fc.constantFrom("x", "y", "k", "j", "z");
const aggregator = fc.constantFrom("avg", "count", "max", "median", "min", "prod", "sum");
const operator = fc.constantFrom("+", "-", "*", "*", "<", "==");
const bounded = fc.constantFrom(
  "sin",
  "cos",
  "tanh",
  "sigmoid",
  "atan",
  "erf",
  "relu",
  "elu",
  "abs",
  "square",
  "-",
  "floor",
);
const unary = fc.constantFrom(
  ..."sqrt(p * p + 1);exp(sin(p));log(p * p + 2);if(p < 0.2, p * p, 3 * p);pow(p * p + 0.5, 1.5);p / (p * p + 1)".split(
    ";",
  ),
  ..."asinh(p);acosh(p * p + 2);atanh(0.5 * sin(p));trunc(p) * p;round_even(p) * p;asin(0.5 * sin(p));acos(0.5 * sin(p));cosh(sin(p));sinh(sin(p));tan(sin(p));log10(p * p + 3);ldexp(p, 2);fmod(p, 0.7)".split(
    ";",
  ),
  ..."min(p, 0.3) * p;max(p, p * p);p % 0.9;isNan(p) + p;round(p) * p;sum(tensor(i[2])(p * (i + 1)))".split(
    ";",
  ),
);
const binary = fc.constantFrom(
  ..."p * q;p - q * 2;max(p, q);min(p, q) * p;atan2(p, q);sin(p * q);if(p < q, p, q * q);pow(p * p + 1, sin(q));p / (q * q + 1)".split(
    ";",
  ),
);
const subspace = fc.constantFrom(
  ..."p * 2;sum(p);p * sum(p);p / (1 + sum(p * p));max(p);concat(p, p, z);tensor(z[2])(sum(p) * (z + 1));p * cell_order(p, max);cell_cast(p, double)".split(
    ";",
  ),
  ..."tensor(z[2])(p{x:(z)} * p{x:(z + 1)});tensor(z[2])(p{y:(z)} + z)".split(";"),
);

const text = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((all) => all.join(""));

const at = fc.constantFrom("0", "1", "(s)", "p", "q", "(s + 0.6)", "(i)", "(2 - i)", "(i * l)", "(l)");

/** Expressions on these tensors; many are none of the language, because their types do not fit. */
export const differentiableExpressions = (depth: number): fc.Arbitrary<string> =>
  fc.letrec<{ expression: string }>((tie) => {
    const inner = tie("expression");
    const row = (weight: number, ...parts: (string | fc.Arbitrary<string>)[]) => ({
      weight,
      arbitrary: text(...parts),
    });
    return {
      expression: fc.oneof(
        { maxDepth: depth, withCrossShrink: true },
        { weight: 6, arbitrary: fc.constantFrom<string>(...tensorNames) },
        { weight: 1, arbitrary: fc.constantFrom("0.5", "2", "-1.5") },
        row(5, "(", inner, " ", operator, " ", inner, ")"),
        row(3, bounded, "(", inner, ")"),
        row(2, "map(", inner, ", f(p)(", unary, "))"),
        row(2, "join(", inner, ", ", inner, ", f(p,q)(", binary, "))"),
        row(2, "merge(", inner, ", ", inner, ", f(p,q)(", binary, "))"),
        row(4, aggregator, "(", inner, ", ", dimension, ")"),
        row(1, "reduce(", inner, ", ", aggregator, ")"),
        row(2, "rename(", inner, ", ", dimension, ", ", dimension, ")"),
        row(2, "concat(", inner, ", ", inner, ", ", dimension, ")"),
        row(1, "if(s > ", fc.constantFrom("0.5", "0.9"), ", ", inner, ", ", inner, ")"),
        row(1, "switch (s) { case 2: ", inner, ", default: ", inner, " }"),
        row(2, "map_subspaces(", inner, ", f(p)(", subspace, "))"),
        row(1, "filter_subspaces(", inner, ", f(p)(p > ", fc.constantFrom("0", "-9"), "))"),
        row(1, inner, " * cell_order(", inner, ", ", fc.constantFrom("max", "min"), ")"),
        row(1, "argmax(", inner, ", ", dimension, ") * ", inner),
        row(1, "softmax(", inner, ", ", dimension, ")"),
        row(1, "l2_normalize(", inner, ", ", dimension, ")"),
        row(2, "(", inner, "){", dimension, ":", at, "}"),
        row(1, "(", inner, "){", dimension, ":", at, ", ", dimension, ":", at, "}"),
        row(1, "cell_cast(", inner, ", double)"),
        row(2, "tensor(i[3])(", inner, " * (i + 1))"),
        row(2, "tensor(i[2],l[3])(sin(sum(", inner, ") * l) + (", inner, "){", dimension, ":", at, "})"),
        row(1, "tensor(i[3])(if(i < 1, sum(", inner, "), sum(", inner, ", ", dimension, ") * i))"),
        row(1, "tensor(i[2])(sum(tensor(l[3])((", inner, "){x:", at, "} * i)))"),
        row(1, "tensor(z[2]):[sum(", inner, "), 2 * sum(", inner, ")]"),
        row(1, "tensor(k{}):{p:sum(", inner, "), t:1.5}"),
        row(1, "gradient(sum(", inner, "), ", fc.constantFrom<string>(...tensorNames), ")"),
      ),
    };
  }).expression;
