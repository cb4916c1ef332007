import type { CellType } from "../../../language/types/cell.js";
import { filled, number } from "../expression.js";
import { type ElementType, elementTypes, isWhole } from "../file/element-type.js";
import type { NodeImport } from "../node.js";
import { isSingle, moved } from "../operand.js";
import type { Value } from "../value.js";
import { fitting, isWholeValue, product, withinRange } from "../whole-numbers.js";
import type { Become, OperatorTable } from "./table.js";

/** Operators that compute each element of their result from the elements of their inputs there. */

/** The elements of a result: a type of its own, or that of the first input. */
interface ResultElement {
  readonly element?: ElementType;
}

/** A function of the language on the one input. */
const unary =
  (text: (x: string) => string, { element }: ResultElement = {}): Become =>
  (node) => {
    const x = node.input(0);
    node.define(text(x.text), x.shape, element ?? x.element);
  };

const call = (name: string, result: ResultElement = {}): Become => unary((x) => `${name}(${x})`, result);

/** A function whose result may be beyond the range of whole numbers. */
const inRange =
  (text: (x: string) => string): Become =>
  (node) => {
    const x = node.input(0);
    node.define(withinRange(text(x.text), x.element), x.shape, x.element);
  };

/** A map, whose body may name attributes; those that a node lacks have these values. */
const map =
  (body: string, defaults: Readonly<Record<string, number>> = {}): Become =>
  (node) => {
    const x = node.input(0);
    const words = Object.entries(defaults).reduce(
      (text, [name, value]) =>
        text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), number(node.float(name, value))),
      body,
    );
    node.define(fitting(`map(${x.text}, f(a)(${words}))`, x.element), x.shape, x.element);
  };

/** An operator of the language between two inputs. */
const binary =
  (text: (left: Value, right: Value, node: NodeImport) => string, result: ResultElement = {}): Become =>
  (node) => {
    const [left, right] = [node.input(0), node.input(1)];
    const shape = node.broadcast([left, right]);
    node.define(text(left, right, node), shape, result.element ?? left.element);
  };

const arithmetic = (symbol: string): Become =>
  binary((left, right) => withinRange(`${left.text} ${symbol} ${right.text}`, left.element));

const infix = (symbol: string, result: ResultElement = {}): Become =>
  binary((left, right) => `${left.text} ${symbol} ${right.text}`, result);

/** Before opset 7 the second operand was aligned at an axis. */
const aligned =
  (symbol: string, result: ResultElement = {}): Become =>
  (node) => {
    const [left, right] = [node.input(0), node.input(1)];
    if (node.integer("broadcast", 0) === 0) return infix(symbol, result)(node);
    const rank = left.shape.length;
    const first =
      right.shape.length === 0 ? 0 : node.axis(node.integer("axis", rank - right.shape.length), rank);
    const operand = moved(right, rank, (axis) => axis + first);
    node.define(`${left.text} ${symbol} ${operand}`, left.shape, result.element ?? left.element);
  };

/** Several inputs, combined from the left. */
const folded =
  (
    combine: (left: string, right: string) => string,
    finish: (text: string, count: number) => string,
  ): Become =>
  (node) => {
    const values = node.allInputs;
    const [first, ...rest] = values.map(({ text }) => text);
    const text = rest.reduce(combine, first ?? "0");
    node.define(finish(text, values.length), node.broadcast(values), node.input(0).element);
  };

const same = (text: string): string => text;

const divide = binary((left, right) => fitting(`${left.text} / ${right.text}`, left.element));

const power = binary((left, right) => fitting(`pow(${left.text}, ${right.text})`, left.element));

/** The remainder of C, or the one that has the sign of the divisor. */
const modulo = binary((left, right, node) => {
  if (node.integer("fmod", 0) !== 0) return `fmod(${left.text}, ${right.text})`;
  if (isWholeValue(left)) return `floor_mod(${left.text}, ${right.text})`;
  const remainder = "if(signum(fmod(a, b)) * signum(b) < 0, fmod(a, b) + b, fmod(a, b))";
  return `join(${left.text}, ${right.text}, f(a,b)(${remainder}))`;
});

const bool: ResultElement = { element: "bool" };

/** Bounds as inputs; before opset 11, as attributes. */
const clip: Become = (node) => {
  const x = node.input(0);
  const bound = (position: number, name: string): string | undefined => {
    const attribute = node.float(name);
    return node.optional(position)?.text ?? (attribute === undefined ? undefined : number(attribute));
  };
  const [least, most] = [bound(1, "min"), bound(2, "max")];
  const above = least === undefined ? x.text : `max(${x.text}, ${least})`;
  node.define(most === undefined ? above : `min(${above}, ${most})`, x.shape, x.element);
};

const isInfinite: Become = (node) => {
  const x = node.input(0);
  const tests = [
    ...(node.integer("detect_positive", 1) === 1 ? ["a == 1 / 0"] : []),
    ...(node.integer("detect_negative", 1) === 1 ? ["a == -1 / 0"] : []),
  ];
  node.define(`map(${x.text}, f(a)(${tests.length === 0 ? "0" : tests.join(" || ")}))`, x.shape, "bool");
};

const where: Become = (node) => {
  const [condition, yes, no] = [node.input(0), node.input(1), node.input(2)];
  // Single numbers become cells as those of the condition are.
  const isWide = elementTypes[yes.element].inside === "double" && isSingle(yes) && isSingle(no);
  const chosen = isWide && !isSingle(condition) ? `cell_cast(${condition.text}, double)` : condition.text;
  const text = `where(${chosen}, ${yes.text}, ${no.text})`;
  node.define(text, node.broadcast([condition, yes, no]), yes.element);
};

/** A text with cells of a type; a single number is always a double, and is only rounded. */
function stored(x: Value, text: string, cell: CellType): string {
  if (!isSingle(x)) return `cell_cast(${text}, ${cell})`;
  return cell === "double" ? text : `tensor<${cell}>(o[1])(${text}){o:0}`;
}

/** What converting to a type of elements makes of numbers of another. */
function converted(x: Value, element: ElementType): string {
  const { inside, range } = elementTypes[element];
  if (element === "bool") return `(${x.text} != 0)`;
  if (element === "float16")
    return isSingle(x) ? stored(x, x.text, "half") : stored(x, stored(x, x.text, "half"), "float");
  if (element === "bfloat16") return stored(x, `round_bfloat16(${x.text})`, "float");
  if (range === undefined) return stored(x, x.text, inside);
  const whole = isWhole(x.element) ? x.text : `trunc(${x.text})`;
  const wide = elementTypes[x.element].inside === "double" ? whole : stored(x, whole, "double");
  const [least, most] = range;
  const from = elementTypes[x.element].range;
  const fits = from !== undefined && from[0] >= least && from[1] <= most;
  if (element === "uint64" && !fits) return `map(${wide}, f(a)(if(a < 0, a + ${number(2 ** 64)}, a)))`;
  if (fits || most - least > 2 ** 33) return wide;
  const count = most - least + 1;
  const modulus = `map(${wide}, f(a)(a - ${count} * floor((a - ${number(least)}) / ${count})))`;
  return inside === "float" ? stored(x, modulus, "float") : modulus;
}

function convertTo(node: NodeImport, element: ElementType): void {
  const x = node.input(0);
  if (x.element === element) node.alias(x);
  else node.define(converted(x, element), x.shape, element);
}

const cast: Become = (node) => convertTo(node, node.elementOf(node.requiredInteger("to")));
/** Until opset 6 the type was a text. */
const castByName: Become = (node) => {
  const name = node.text("to", "").toLowerCase();
  if (!Object.hasOwn(elementTypes, name)) node.refuse({ kind: "element type", name });
  convertTo(node, name as ElementType); // a key of the table, by the line before
};
const castLike: Become = (node) => convertTo(node, node.input(1).element);

const gelu: Become = (node) => call(node.text("approximate", "none") === "tanh" ? "gelu_tanh" : "gelu")(node);

const prelu: Become = (node) => {
  const [x, slope] = [node.input(0), node.input(1)];
  // Before opset 7 a slope for each channel stood for the second axis.
  const isChannel = node.opset < 7 && slope.shape.length === 1 && slope.shape[0] !== 1;
  const operand = isChannel ? moved(slope, x.shape.length, () => 1) : slope.text;
  node.checkFit(!isChannel || slope.shape[0] === x.shape[1], [x, slope]);
  // ONNX asks that slopes spread to the values; ONNX Runtime spreads both.
  const shape = isChannel ? x.shape : node.broadcast([x, slope]);
  const text = `join(${x.text}, ${operand}, f(a, b)(if(a < 0, a * b, a)))`;
  node.define(withinRange(text, x.element), shape, x.element);
};

const dropout: Become = (node) => {
  const x = node.input(0);
  const training = node.optional(2);
  const isTraining = training !== undefined && node.number(training, "training_mode") !== 0;
  const ratio = node.optional(1);
  if (isTraining && (ratio === undefined || node.number(ratio, "ratio") !== 0)) node.refuse("training");
  node.alias(x);
  // Before opset 12 nothing is said of the mask outside of training, and ONNX Runtime leaves it 0; before opset 10 it has the type of the input.
  const [mask, element] = [node.opset < 12 ? 0 : 1, node.opset < 10 ? x.element : "bool"] as const;
  if (node.isUsed(1)) node.define(filled(x.text, mask), x.shape, element, 1);
};

// biome-ignore format: a table
export const elementwise: OperatorTable = {
  Abs:             { 1: inRange((x) => `abs(${x})`) },
  Acos:            { 7: call("acos") },
  Acosh:           { 9: call("acosh") },
  Add:             { 1: aligned("+"), 7: arithmetic("+") },
  And:             { 1: aligned("&&", bool), 7: infix("&&", bool) },
  Asin:            { 7: call("asin") },
  Asinh:           { 9: call("asinh") },
  Atan:            { 7: call("atan") },
  Atanh:           { 9: call("atanh") },
  Cast:            { 1: castByName, 6: cast },
  CastLike:        { 15: castLike },
  Ceil:            { 1: call("ceil") },
  Celu:            { 12: map("max(0, a) + min(0, alpha * (exp(a / alpha) - 1))", { alpha: 1 }) },
  Clip:            { 1: clip },
  Cos:             { 7: call("cos") },
  Cosh:            { 9: call("cosh") },
  Div:             { 1: aligned("/"), 7: divide },
  Dropout:         { 1: dropout },
  Elu:             { 1: map("if(a < 0, alpha * (exp(a) - 1), a)", { alpha: 1 }) },
  Equal:           { 1: aligned("==", bool), 7: infix("==", bool) },
  Erf:             { 9: call("erf") },
  Exp:             { 1: call("exp") },
  Floor:           { 1: call("floor") },
  Gelu:            { 20: gelu },
  Greater:         { 1: aligned(">", bool), 7: infix(">", bool) },
  GreaterOrEqual:  { 12: infix(">=", bool) },
  HardSigmoid:     { 1: map("max(0, min(1, alpha * a + beta))", { alpha: 0.2, beta: 0.5 }) },
  HardSwish:       { 14: map("a * max(0, min(1, a / 6 + 0.5))") },
  Identity:        { 1: (node) => node.alias(node.input(0)) },
  IsInf:           { 10: isInfinite },
  IsNaN:           { 9: call("isNan", bool) },
  LeakyRelu:       { 1: map("if(a < 0, alpha * a, a)", { alpha: 0.01 }) },
  Less:            { 1: aligned("<", bool), 7: infix("<", bool) },
  LessOrEqual:     { 12: infix("<=", bool) },
  Log:             { 1: call("log") },
  Max:             { 1: folded((left, right) => `max(${left}, ${right})`, same) },
  Mean:            { 1: folded((left, right) => `${left} + ${right}`, (sum, count) => `(${sum}) / ${count}`) },
  Min:             { 1: folded((left, right) => `min(${left}, ${right})`, same) },
  Mish:            { 18: map("a * tanh(max(a, 0) + log(1 + exp(0 - abs(a))))") },
  Mod:             { 10: modulo },
  Mul:             { 1: aligned("*"), 7: binary(product) },
  Neg:             { 1: inRange((x) => `-${x}`) },
  Not:             { 1: unary((x) => `!${x}`, bool) },
  Or:              { 1: aligned("||", bool), 7: infix("||", bool) },
  Pow:             { 1: aligned("^"), 7: power },
  PRelu:           { 1: prelu },
  Reciprocal:      { 1: unary((x) => `1 / ${x}`) },
  Relu:            { 1: call("relu") },
  Round:           { 11: call("round_even") },
  Selu:            { 1: map("gamma * if(a < 0, alpha * (exp(a) - 1), a)", { alpha: 1.6732632423543772, gamma: 1.0507009873554805 }) },
  "sphex.Gelu":    { 1: call("gelu") },
  Shrink:          { 9: map("if(a < -lambd, a + bias, if(a > lambd, a - bias, 0))", { lambd: 0.5, bias: 0 }) },
  Sigmoid:         { 1: call("sigmoid") },
  Sign:            { 9: call("signum") },
  Sin:             { 7: call("sin") },
  Sinh:            { 9: call("sinh") },
  Softplus:        { 1: call("softplus") },
  Softsign:        { 1: map("a / (1 + abs(a))") },
  Sqrt:            { 1: call("sqrt") },
  Sub:             { 1: aligned("-"), 7: arithmetic("-") },
  Sum:             { 1: folded((left, right) => `${left} + ${right}`, same) },
  Swish:           { 24: map("a * sigmoid(alpha * a)", { alpha: 1 }) },
  Tan:             { 7: call("tan") },
  Tanh:            { 1: call("tanh") },
  ThresholdedRelu: { 10: map("if(a > alpha, a, 0)", { alpha: 1 }) },
  Where:           { 9: where },
  Xor:             { 1: infix("!=", bool) },
};
