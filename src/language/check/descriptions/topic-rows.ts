/** What the reference adds to signatures and sentences: rules of types, examples with their values, what is related. */
export interface TopicRow {
  readonly examples: readonly (readonly [expression: string, value: string])[];
  readonly related?: readonly string[];
  /** The section of the paper that has it; Vespa added what has none. */
  readonly paper?: string;
  readonly typeRule?: string;
}

const angle = ["sin", "cos", "tan"];
const table1 = "Table 1";
const reduced = "The type of the tensor without the dimensions; of none given, a single number.";
const joined = "All dimensions of both, a common one in the smaller size; the wider cell type.";
const v = "tensor(x[3]):[1,5,3]";

/** By function, in alphabetical order. */
// biome-ignore format: a table
export const functionRows: Readonly<Record<string, TopicRow>> = {
  abs:           { examples: [["abs(-2)", "2.0"]], related: ["fabs", "sign"], paper: table1 },
  accuracy:      { examples: [["accuracy(tensor(x[2]):[0.9,0.2], tensor(x[2]):[1,1])", "0.5"]], related: ["auc", "ndcg"] },
  acos:          { examples: [["acos(1)", "0.0"]], related: ["cos", "asin"], paper: table1 },
  acosh:         { examples: [["acosh(1)", "0.0"]], related: ["cosh", "asinh", "atanh"] },
  adam:          { examples: [["adam(1, 0, 4, 1, 0.5)", "1.0"]], related: ["gradient", "moving_average", "sgd"] },
  argmax:        { examples: [[`argmax(${v})`, "tensor(x[3]):[0.0, 1.0, 0.0]"]], related: ["max", "argmin", "top"], paper: table1, typeRule: "The type of the tensor." },
  argmin:        { examples: [[`argmin(${v})`, "tensor(x[3]):[1.0, 0.0, 0.0]"]], related: ["min", "argmax"], paper: table1, typeRule: "The type of the tensor." },
  asin:          { examples: [["asin(0)", "0.0"]], related: ["sin", "acos"], paper: table1 },
  asinh:         { examples: [["asinh(0)", "0.0"]], related: ["sinh", "acosh", "atanh"] },
  atan:          { examples: [["atan(0)", "0.0"]], related: ["tan", "atan2"], paper: table1 },
  atan2:         { examples: [["atan2(0, 1)", "0.0"]], related: ["atan"], paper: table1 },
  atanh:         { examples: [["atanh(0)", "0.0"]], related: ["tanh", "asinh", "acosh"] },
  auc:           { examples: [["auc(tensor(x[3]):[0.9,0.5,0.1], tensor(x[3]):[1,0,1], x)", "0.5"]], related: ["accuracy", "ndcg", "rank_auc"] },
  avg:           { examples: [[`avg(${v})`, "3.0"]], related: ["sum", "median", "reduce"], paper: "5.3.2" },
  bit:           { examples: [["bit(5, 2)", "1.0"], ["bit(5, 1)", "0.0"]], related: ["unpack_bits", "hamming"] },
  bit_and:       { examples: [["bit_and(12, 10)", "8.0"], ["bit_and(-1, 255)", "255.0"]], related: ["bit_or", "bit_xor", "bit"] },
  bit_or:        { examples: [["bit_or(12, 10)", "14.0"]], related: ["bit_and", "bit_xor"] },
  bit_xor:       { examples: [["bit_xor(12, 10)", "6.0"]], related: ["bit_and", "bit_or", "hamming"] },
  ceil:          { examples: [["ceil(1.2)", "2.0"]], related: ["floor", "round"], paper: table1 },
  cell_cast:     { examples: [["cell_cast(tensor(x[2]):[1.5,300], int8)", "tensor<int8>(x[2]):[1, 44]"]], typeRule: "The type of the tensor, with these cells." },
  cell_order:    { examples: [[`cell_order(${v}, max)`, "tensor(x[3]):[2.0, 0.0, 1.0]"]], related: ["top"], typeRule: "The type of the tensor." },
  concat:        { examples: [["concat(tensor(x[2]):[1,2], tensor(x[1]):[3], x)", "tensor(x[3]):[1.0, 2.0, 3.0]"]], related: ["merge"], paper: "5.3.6", typeRule: "All dimensions of both; along the dimension, the sizes of both added up." },
  cos:           { examples: [["cos(0)", "1.0"]], related: ["sin", "tan", "acos"], paper: table1 },
  cosh:          { examples: [["cosh(0)", "1.0"]], related: ["sinh", "tanh"], paper: table1 },
  cosine_similarity: { examples: [["cosine_similarity(tensor(x[2]):[3,4], tensor(x[2]):[4,3], x)", "0.96"]], related: ["euclidean_distance", "l2_normalize"] },
  count:         { examples: [[`count(${v})`, "3.0"]], related: ["sum", "reduce"], paper: "5.3.2" },
  dcg:           { examples: [["dcg(tensor(x[2]):[1,2], tensor(x[2]):[2,1], x)", "2.8927892607143724"]], related: ["ndcg", "discount", "tied_mean"] },
  descending_rank:{ examples: [["descending_rank(tensor(x[3]):[5,9,5], x)", "tensor(x[3]):[1.5, 0.0, 1.5]"]], related: ["cell_order", "discount", "auc"] },
  diag:          { examples: [["diag(2, 2)", "tensor(i[2],j[2]):[[1.0, 0.0], [0.0, 1.0]]"]], related: ["range", "tensor"], paper: table1 },
  discount:      { examples: [["discount(tensor(x[2]):[5,9], x)", "tensor(x[2]):[0.6309297535714575, 1.0]"]], related: ["dcg", "cell_order", "descending_rank"] },
  elu:           { examples: [["elu(2)", "2.0"], ["elu(0)", "0.0"]], related: ["relu"], paper: table1 },
  erf:           { examples: [["erf(0)", "0.0"]], related: ["sigmoid"] },
  euclidean_distance: { examples: [["euclidean_distance(tensor(x[2]):[0,0], tensor(x[2]):[3,4], x)", "5.0"]], related: ["cosine_similarity"] },
  exp:           { examples: [["exp(0)", "1.0"]], related: ["log", "pow", "softmax"], paper: table1 },
  expand:        { examples: [["expand(tensor(x[2]):[1,2], y)", "tensor(x[2],y[1]):[[1.0], [2.0]]"]], related: ["rename"] },
  fabs:          { examples: [["fabs(-2)", "2.0"]], related: ["abs"] },
  filter_subspaces: { examples: [["filter_subspaces(tensor(k{}):{a:1,b:0}, f(s)(s > 0))", "tensor(k{}):{a:1.0}"]], related: ["map_subspaces", "top"], typeRule: "The type of the tensor." },
  floor:         { examples: [["floor(1.8)", "1.0"]], related: ["ceil", "round"], paper: table1 },
  fmod:          { examples: [["fmod(7, 3)", "1.0"]], related: ["mod", "%"] },
  gradient:      { examples: [], related: ["jvp", "sum", "minimise", "sgd"], typeRule: "The dimensions of the second argument, and of the first, where those of both are renamed: x becomes x1." },
  hamming:       { examples: [["hamming(5, 6)", "2.0"]], related: ["bit", "unpack_bits"] },
  if:            { examples: [["if(2 > 1, 10, 20)", "10.0"]], related: ["switch", "in"], typeRule: "The type that both branches have." },
  isInfinite:         { examples: [["isInfinite(-1/0)", "1.0"], ["isInfinite(0/0)", "0.0"]], related: ["isNan"] },
  isNan:         { examples: [["isNan(0/0)", "1.0"]], related: ["isInfinite"] },
  join:          { examples: [["join(tensor(x[2]):[1,2], tensor(x[2]):[3,4], f(a,b)(a * b))", "tensor(x[2]):[3.0, 8.0]"]], related: ["merge", "map", "*"], paper: "5.3.3", typeRule: joined },
  jvp:           { examples: [], related: ["gradient"], typeRule: "The dimensions of the first argument." },
  l1_normalize:  { examples: [["l1_normalize(tensor(x[2]):[1,3], x)", "tensor(x[2]):[0.25, 0.75]"]], related: ["l2_normalize", "softmax"], paper: table1 },
  l2_normalize:  { examples: [["l2_normalize(tensor(x[2]):[3,4], x)", "tensor(x[2]):[0.6, 0.8]"]], related: ["l1_normalize", "cosine_similarity"], paper: table1 },
  ldexp:         { examples: [["ldexp(3, 2)", "12.0"]], related: ["pow"] },
  log:           { examples: [["log(1)", "0.0"]], related: ["exp", "log10"], paper: table1 },
  log10:         { examples: [["log10(1000)", "3.0"]], related: ["log"], paper: table1 },
  map:           { examples: [["map(tensor(x[2]):[1,2], f(a)(a + 1))", "tensor(x[2]):[2.0, 3.0]"]], related: ["join", "map_subspaces"], paper: "5.3.1", typeRule: "The type of the tensor." },
  map_subspaces: { examples: [["map_subspaces(tensor(k{},x[2]):{a:[1,2]}, f(s)(sum(s)))", "tensor(k{}):{a:3.0}"]], related: ["filter_subspaces", "map"], typeRule: "The mapped dimensions of the tensor, and the dimensions of the function's value." },
  matmul:        { examples: [["matmul(tensor(x[2]):[1,2], tensor(x[2],y[2]):[[1,2],[3,4]], x)", "tensor(y[2]):[7.0, 10.0]"]], related: ["xw_plus_b", "sum", "*"], paper: table1 },
  max:           { examples: [[`max(${v})`, "5.0"], ["max(2, 3)", "3.0"]], related: ["min", "argmax", "reduce"], paper: "5.3.2" },
  median:        { examples: [[`median(${v})`, "3.0"]], related: ["avg", "reduce"] },
  merge:         { examples: [["merge(tensor(k{}):{a:1}, tensor(k{}):{a:2,b:3}, f(l,r)(l + r))", "tensor(k{}):{a:3.0, b:3.0}"]], related: ["join", "concat"], paper: "5.3.4", typeRule: "The type of both, which must have the same dimensions." },
  min:           { examples: [[`min(${v})`, "1.0"], ["min(2, 3)", "2.0"]], related: ["max", "argmin", "reduce"], paper: "5.3.2" },
  mod:           { examples: [["mod(tensor(x[2]):[7,-7], 3)", "tensor(x[2]):[1.0, -1.0]"]], related: ["fmod", "%"], paper: table1 },
  momentum:      { examples: [["momentum(tensor(k{}):{a:1}, tensor(k{}):{a:2, b:3}, 0.5)", "tensor(k{}):{a:2.5, b:3.0}"]], related: ["sgd", "merge"] },
  moving_average: { examples: [["moving_average(1, 3, 0.75)", "1.5"]], related: ["momentum", "adam"] },
  ndcg:          { examples: [["ndcg(tensor(x[2]):[1,2], tensor(x[2]):[1,0], x)", "0.6309297535714575"]], related: ["auc", "dcg"] },
  pow:           { examples: [["pow(2, 3)", "8.0"]], related: ["^", "square", "exp"], paper: table1 },
  prod:          { examples: [[`prod(${v})`, "15.0"]], related: ["sum", "reduce"], paper: "5.3.2" },
  random:        { examples: [["random(i[3]) < 1", "tensor(i[3]):[1.0, 1.0, 1.0]"]], related: ["range", "tensor"], paper: table1, typeRule: "The type in its brackets, or dimensions i1, i2, … of these sizes." },
  range:         { examples: [["range(3)", "tensor(i[3]):[0.0, 1.0, 2.0]"]], related: ["diag", "tensor"], paper: table1 },
  rank_auc:      { examples: [["rank_auc(tensor(x[3]):[0.9,0.5,0.1], tensor(x[3]):[1,0,0], x)", "1.0"]], related: ["auc", "descending_rank"] },
  rank_gap:      { examples: [["rank_gap(tensor(x[3]):[0.9,0.5,0.1], tensor(x[3]):[1,0,0], x)", "1.5"]], related: ["rank_auc", "descending_rank"] },
  reduce:        { examples: [[`reduce(${v}, max, x)`, "5.0"]], related: ["sum", "max", "avg"], paper: "5.3.2", typeRule: reduced },
  relu:          { examples: [["relu(-2)", "0.0"], ["relu(2)", "2.0"]], related: ["elu", "sigmoid"], paper: table1 },
  rename:        { examples: [["rename(tensor(x[2]):[1,2], x, y)", "tensor(y[2]):[1.0, 2.0]"]], related: ["expand"], paper: "5.3.5", typeRule: "The type of the tensor, with the new names." },
  round:         { examples: [["round(1.5)", "2.0"]], related: ["floor", "ceil"], paper: table1 },
  round_even:    { examples: [["round_even(2.5)", "2.0"], ["round_even(3.5)", "4.0"]], related: ["round", "trunc"] },
  scaled_step:   { examples: [["scaled_step(1, 2, 4, 0.5)", "0.5000000025"]], related: ["sgd", "adam"] },
  sgd:           { examples: [["sgd(1, 2, 0.1)", "0.8"]], related: ["gradient", "adam", "momentum"] },
  sigmoid:       { examples: [["sigmoid(0)", "0.5"]], related: ["tanh", "relu"], paper: table1 },
  sign:          { examples: [["sign(-3)", "-1.0"]], related: ["abs"], paper: table1 },
  sin:           { examples: [["sin(0)", "0.0"]], related: ["cos", "tan", "asin"], paper: table1 },
  sinh:          { examples: [["sinh(0)", "0.0"]], related: ["cosh", "tanh"], paper: table1 },
  softmax:       { examples: [["softmax(tensor(x[2]):[0,0], x)", "tensor(x[2]):[0.5, 0.5]"]], related: ["exp", "l1_normalize", "sigmoid"], paper: table1 },
  sqrt:          { examples: [["sqrt(9)", "3.0"]], related: ["square", "pow"], paper: table1 },
  square:        { examples: [["square(3)", "9.0"]], related: ["sqrt", "^"], paper: table1 },
  sum:           { examples: [[`sum(${v})`, "9.0"], ["sum(tensor(x[2],y[2]):[[1,2],[3,4]], y)", "tensor(x[2]):[3.0, 7.0]"]], related: ["avg", "prod", "reduce", "matmul"], paper: "5.3.2" },
  tan:           { examples: [["tan(0)", "0.0"]], related: angle, paper: table1 },
  tanh:          { examples: [["tanh(0)", "0.0"]], related: ["sinh", "cosh", "sigmoid"], paper: table1 },
  tied_mean:     { examples: [["tied_mean(tensor(x[3]):[5,9,5], tensor(x[3]):[1,2,3], x)", "tensor(x[3]):[2.0, 2.0, 2.0]"]], related: ["dcg", "avg"] },
  tied_sum:      { examples: [["tied_sum(tensor(x[3]):[5,9,5], tensor(x[3]):[1,2,3], x)", "tensor(x[3]):[4.0, 2.0, 4.0]"]], related: ["tied_mean", "where"] },
  top:           { examples: [["top(2, tensor(k{}):{a:5,b:1,c:3})", "tensor(k{}):{a:5.0, c:3.0}"]], related: ["cell_order", "argmax", "filter_subspaces"], typeRule: "The type of the tensor." },
  trunc:         { examples: [["trunc(-1.8)", "-1.0"]], related: ["floor", "ceil", "round"] },
  unpack_bits:   { examples: [["unpack_bits(tensor<int8>(x[1]):[5])", "tensor<float>(x[8]):[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0]"]], related: ["bit", "hamming"], typeRule: "Eight times the size along the last indexed dimension." },
  where:         { examples: [["where(tensor(x[2]):[1,0], tensor(x[2]):[1,2], tensor(x[2]):[3,4])", "tensor(x[2]):[1.0, 4.0]"]], related: ["if"], typeRule: "All dimensions of the three, a common one in the smaller size; the wider cell type." },
  xw_plus_b:     { examples: [["xw_plus_b(tensor(x[2]):[1,2], tensor(x[2],y[2]):[[1,2],[3,4]], tensor(y[2]):[10,20], x)", "tensor(y[2]):[17.0, 30.0]"]], related: ["matmul", "relu"], paper: table1 },
};

/** What a function of single numbers does to types. */
export const scalarRule = (parameters: number): string =>
  parameters === 1 ? "The type of its argument: the function is taken of each cell." : joined;

export const reducedRule = reduced;
export const joinedRule = joined;

/** Forms that are no functions: operators, statements, and what else the grammar has. */
export interface WrittenForm extends TopicRow {
  readonly signature: string;
  readonly description: string;
}

// biome-ignore format: a table
export const operatorRows: Readonly<Record<string, WrittenForm>> = {
  "||": { signature: "a || b", description: "1 where either side is not 0, otherwise 0.", examples: [["0 || 2", "1.0"]], related: ["&&", "!"] },
  "&&": { signature: "a && b", description: "1 where neither side is 0, otherwise 0.", examples: [["1 && 0", "0.0"]], related: ["||", "!"] },
  "!":  { signature: "!a",     description: "1 where a is 0, otherwise 0.", examples: [["!0", "1.0"]], related: ["&&", "||"] },
  ">=": { signature: "a >= b", description: "1 where the left side is at least the right one, otherwise 0.", examples: [["2 >= 2", "1.0"]], related: [">", "<="], paper: table1 },
  ">":  { signature: "a > b",  description: "1 where the left side is greater, otherwise 0.", examples: [["2 > 2", "0.0"]], related: [">=", "<"], paper: table1 },
  "<=": { signature: "a <= b", description: "1 where the left side is at most the right one, otherwise 0.", examples: [["2 <= 2", "1.0"]], related: ["<", ">="], paper: table1 },
  "<":  { signature: "a < b",  description: "1 where the left side is less, otherwise 0.", examples: [["1 < 2", "1.0"]], related: ["<=", ">"], paper: table1 },
  "~=": { signature: "a ~= b", description: "1 where both sides are about equal, otherwise 0.", examples: [["1 ~= 1", "1.0"]], related: ["=="] },
  "!=": { signature: "a != b", description: "1 where the sides differ, otherwise 0.", examples: [["1 != 2", "1.0"]], related: ["=="], paper: table1 },
  "==": { signature: "a == b", description: "1 where both sides are equal, otherwise 0.", examples: [["1 == 1", "1.0"]], related: ["!=", "~=", "in"], paper: table1 },
  "+":  { signature: "a + b",  description: "The sum of each two cells.", examples: [["tensor(x[2]):[1,2] + 1", "tensor(x[2]):[2.0, 3.0]"]], related: ["-", "sum", "merge"], paper: table1 },
  "-":  { signature: "a - b, or -a", description: "The difference of each two cells; the negative of each cell.", examples: [["3 - 1", "2.0"], ["-(3)", "-3.0"]], related: ["+"], paper: table1 },
  "*":  { signature: "a * b",  description: "The product of each two cells.", examples: [["tensor(x[2]):[1,2] * tensor(y[2]):[3,4]", "tensor(x[2],y[2]):[[3.0, 4.0], [6.0, 8.0]]"]], related: ["/", "matmul", "prod"], paper: table1 },
  "/":  { signature: "a / b",  description: "The quotient of each two cells.", examples: [["3 / 2", "1.5"]], related: ["*", "%"], paper: table1 },
  "%":  { signature: "a % b",  description: "The remainder of a / b, with the sign of a.", examples: [["7 % 3", "1.0"]], related: ["fmod", "mod", "/"] },
  "^":  { signature: "a ^ b",  description: "a to the power of b, from right to left.", examples: [["2 ^ 3 ^ 2", "512.0"]], related: ["pow", "square"] },
};

// biome-ignore format: a table
export const formRows: Readonly<Record<string, WrittenForm>> = {
  in:         { signature: "a in [b, c]", description: "1 where a equals one of the values, otherwise 0.", examples: [["2 in [1, 2]", "1.0"]], related: ["==", "switch"] },
  switch:     { signature: "switch (a) { case b: c, default: d }", description: "The result of the first case that a equals, otherwise the default.", examples: [["switch (2) { case 1: 10, case 2: 20, default: 0 }", "20.0"]], related: ["if", "in"] },
  tensor:     { signature: "tensor(x[3])(expression) or tensor(x[3]):[…]", description: "A tensor of a type: each cell computed from its indexes, or the cells as they are written.", examples: [["tensor(x[3])(x * x)", "tensor(x[3]):[0.0, 1.0, 4.0]"], ["tensor(k{}):{a:1}", "tensor(k{}):{a:1.0}"]], related: ["range", "diag", "slice"], paper: "5.3.7, 5.3.9" },
  slice:      { signature: "t{x:1}, t[1] or t{a}", description: "The cells at a label or an index, without that dimension.", examples: [["tensor(x[3]):[1,5,3]{x:1}", "5.0"], ["tensor(x[3]):[1,5,3][2]", "3.0"]], related: ["tensor", "top"], paper: "5.3.8", typeRule: "The type of the tensor without the dimensions of the address." },
  f:          { signature: "f(x)(expression)", description: "A lambda, which map, join, merge and the functions of subspaces take.", examples: [["map(3, f(x)(x + 1))", "4.0"]], related: ["map", "join"], paper: "5.3.1" },
  input:      { signature: "input name: tensor(…) = default", description: "A statement: a tensor that a run is given.", examples: [], related: ["constant", "variable", "persistent"] },
  constant:   { signature: "constant name: tensor(…) = value", description: "A statement: a tensor that never changes, or one in a file: file(\"w.json\").", examples: [], related: ["input", "variable"] },
  model:      { signature: "model name = file(\"ranker.onnx\")", description: "A statement: a model of ONNX, XGBoost or LightGBM, which is called with its inputs by name or position: ranker(pixels: image).scores. Names for dimensions: model ranker(pixels: (row, column)) = file(\"ranker.onnx\").", examples: [], related: ["input", "constant"] },
  assign:     { signature: "assign name = value", description: "A statement: what a variable or persistent tensor becomes when a run of a session has succeeded.", examples: [], related: ["variable", "persistent"] },
  begin:      { signature: "begin name = value", description: "A statement: how labels begin that a step of training has and a variable does not, of the inputs of that step. A label where it is 0 throughout does not begin yet.", examples: [], related: ["variable", "minimise"] },
  minimise:   { signature: "minimise name", description: "A statement: the scalar that training makes smaller.", examples: [], related: ["gradient", "variable"] },
  variable:   { signature: "variable name: tensor(…) = value", description: "A statement: a tensor that training changes, kept by a session.", examples: [], related: ["persistent", "gradient", "begin"] },
  persistent: { signature: "persistent name: tensor(…) = value", description: "A statement: a tensor that a session keeps between runs.", examples: [], related: ["variable"] },
  "=":        { signature: "name = expression, or name(parameter, …) = expression", description: "A statement: a name for a value, or a function.", examples: [], related: ["input", "f"] },
};
