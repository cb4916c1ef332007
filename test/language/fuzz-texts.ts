import { readdirSync, readFileSync } from "node:fs";
import { preludeText } from "../../src/index.js";

/** Texts that mean something: `accidents.ts` has what chance makes of them. */

const folder = new URL("../../examples/", import.meta.url);
const examples = readdirSync(folder)
  .filter((name) => name.endsWith(".sphex"))
  .map((name) => readFileSync(new URL(name, folder), "utf8"));

export const expressions: readonly string[] = [
  "1 + 2 * 3 ^ 2 - -4 / 5 % 6",
  "!1 || 0 && 2 >= 1 != (3 ~= 4)",
  "if(1 < 2, 10, 20, 0.5)",
  "switch (2) { case 1: 10, case 2: 20, default: 30 }",
  "tensor(x[3]):[1,2,3] in [1, 3] * 2",
  'tensor(k{}):{a:1, "b c":2, -1:3}',
  "tensor<float>(k{},x[2]):{a:[1,2], b:[3,4]}",
  "tensor(k{},j{}):{foo:{x:1,y:2},bar:{x:3}}",
  "tensor(x[2],k{}):{{x:0,k:a}:1,{x:1,k:a}:2}",
  "tensor():{{}:5} + tensor():{3} - tensor():4",
  "tensor<int8>(x[2],y[2])(x * 2 + y){x:1, y:0}",
  "tensor(x[3],y[2]):[[1,2],[3,4],[5,6]]{x:1}[0]",
  "tensor(k{},x[2]):{a:[1,2], b:[3,4]}{a}[1]",
  "map(tensor(x[2]):[1,4], f(x)(sqrt(x) + 1))",
  "join(range(3), range(3), f(a,b)(a - b))",
  "merge(tensor(k{}):{a:1,b:2}, tensor(k{}):{b:5,c:3}, f(x,y)(max(x,y)))",
  "reduce(tensor(x[2],y[2]):[[1,2],[3,4]], median, x)",
  "sum(tensor(x[2],y[2]):[[1,2],[3,4]], x, y) + avg(range(4)) + count(diag(2,2), i)",
  "rename(tensor(x[2],y[2]):[[1,2],[3,4]], (x,y), (y,x))",
  "concat(tensor(x[2]):[1,2], tensor(x[1]):[3], x)",
  "cell_cast(tensor(x[2]):[1.5,300], int8)",
  "cell_order(tensor(k{}):{a:5,b:1}, max)",
  "map_subspaces(tensor(k{},x[2]):{a:[1,2]}, f(t)(concat(t, sum(t), x)))",
  "filter_subspaces(tensor(k{},x[2]):{a:[1,2],b:[0,0]}, f(t)(t > 1))",
  "softmax(tensor(x[2]):[0,1], x) + l1_normalize(tensor(x[2]):[1,3], x)",
  "matmul(diag(i[2],j[2]), tensor(j[2],z[2]):[1,2,3,4], j)",
  "top(2, tensor(k{}):{a:5,b:1,c:3})",
  "argmax(tensor(x[3]):[1,3,3], x) + argmin(range(x[3]))",
  "unpack_bits(tensor<int8>(k{},x[1]):{foo:[3]}, int8, little)",
  "expand(tensor(x[2]):[1,2], y) * random(y[1]) + random<float>(x[2],y[1])",
  "euclidean_distance(range(2), tensor(i[2]):[3,4], i) + cosine_similarity(range(2), range(2), i)",
  "max(1, 2) + min(range(3), i) + max(tensor(x[2]):[1,2], x)",
  "hamming(97, 1) + bit(-43, 7) + ldexp(3, 2.9) + fmod(-7, 3) + atan2(0, 1)",
  "xw_plus_b(range(2), diag(2,2), tensor(j[2]):[10,20], i)",
  '"text" == "text" && true in ["a", true]',
];

export const programs: readonly string[] = [
  ...examples,
  preludeText,
  "input query(q): tensor<float>(x[3]) = tensor<float>(x[3]):[1,2,3]\nsum(query(q))",
  "a = 1; b = a + 1\nc(x, d) = sum(x * b, d)\nc(range(3), i)\n-a",
  "constant k: tensor(x{}) = tensor(x{}):{a:1}\nvariable v = constant(k) * 2\npersistent p: tensor() = 0\nv{a} + p",
  "f(x) = g(x) + 1\ng(y) = y * y\nf(f(2))",
  "g(t, d, n, c) = cell_cast(rename(sum(t * tensor<c>(d[n])(d), d), k, d), c)\ng(tensor(k{},x[3]):{a:[1,2,3]}, x, 3, int8)",
  "g(l, t, a) = reduce(map(t, l), a)\ng(f(x)(x * 2), range(3), max) + tensor(i[2])(h(i)){i:1}\nh(x) = sum(tensor(j[x1])(j * x))\nx1 = 3",
  "p(t, a, b) = rename(t, (a, b), (b, a))\nm = map_subspaces(tensor(k{},x[2],y[1]):{a:[1,2]}, f(t)(p(t, x, y)))\nm{k:a, x:0}[1]; if(m{a}{x:0}[0] == 1, m{a}{x:0}, m{b}{x:0}); top(1, sum(m, x, y))",
  "constant i: tensor<bfloat16>(k{}) = tensor<int8>(k{}):{a:1}\npersistent(s) = s{k:a}\ninput tensor: tensor(x[]) = tensor(x[2])(in)\nin = 1\nvariable w = tensor(x[2])(1 / x)\npersistent(i) * sum(w * tensor, x)",
];

export const tensorTexts: readonly string[] = [
  "tensor(x[3]):[1.0, 2.0, 3.0]",
  "tensor<float>(x[2],y[2]):[[1,2],[3,-4e10]]",
  "tensor(k{}):{a:1, 'b c':2.5, \"it's\":NaN, -1:Infinity, 10:-0.0}",
  "tensor<int8>(k{},x[2]):{a:[1,2], b:[-128,127]}",
  "tensor(k{},j{}):{{k:a,j:b}:1.0, {k:a,j:'c d'}:2.0}",
  "tensor(k{},j{}):{a:{b:1,c:2},d:{}}",
  "tensor(x[]):{0:1,1:2}",
  "tensor(x[],y[2]):[[1,2],[3,4],[5,6]]",
  "tensor<int8>(x[2],y[3]):0B22038405FF",
  "tensor<bfloat16>(k{},x[2]):{a:3f80bf80}",
  "tensor():{5} ",
  "{{}:5}",
  "{{x:0}:1,{x:1}:2}",
  "-1.5E-3",
];

/** What may stand between two commas somewhere. */
// biome-ignore format: a list
export const fragments: readonly string[] = [
  "1", "-1", "0/0", "x", "k", "int8", "max", '"a"', "a:b", "(x, y)", "-x", "f(x)(x)", "f(a,b)(a - b)", "f()(1)", "f(t)(sum(t))", "f(t)(tensor(x[2])(x))", "f(x,x)(x)",
  "range(3)", "tensor(x[2]):[1,2]", "tensor(x[3]):[1,2,3]", "tensor(y[2])(y)", "tensor(x{}):{a:1,b:2}", "tensor(k{}):{a:1}", "tensor(k{}):{}", "tensor(k{},x[2]):{a:[1,2]}",
  "tensor<int8>(x[2],y[1]):[1,-2]", "tensor<half>(x[2])(0.1)", "tensor<float>(k{},x[2]):{}", "tensor(x[2],y[2],z[2])(x+y*z)", "tensor(x[2])(1){x:(i)}", "tensor(x[100000])(x)",
];
