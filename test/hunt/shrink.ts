import { cellTypeNames } from "../../src/language/types/cell.js";
import type { TensorType } from "../../src/language/types/type.js";
import { Tensor } from "../../src/language/values/tensor.js";
import type { Definition, Input } from "./builder.js";
import { assembled, type Expression, respelt, within } from "./expression.js";
import type { Program } from "./program.js";

/**
 * Makes a program smaller as long as something stays true of it, and gives each smaller one. Whether a smaller one is a
 * program at all is for the checker to say: whoever asks what is true of it runs it.
 */
export function* shrinking(
  program: Program,
  isStill: (smaller: Program) => boolean,
  most: number,
): Generator<Program> {
  const candidates = shrinkingSteps(program, most);
  for (let step = candidates.next(); step.done !== true; ) {
    const smaller = step.value;
    const isTrue = isStill(smaller);
    if (isTrue) yield smaller;
    step = candidates.next(isTrue);
  }
}

/** Programs to try one after the other, each of which is answered by whether it is true of it still. */
export function* shrinkingSteps(program: Program, most: number): Generator<Program, void, boolean> {
  // What no result reaches is there at first: named values are read too, and may be what it is true of.
  let best = program;
  let left = most;
  for (let isChanged = true; isChanged && left > 0; ) {
    isChanged = false;
    for (const way of [fewerStatements, smallerExpressions, smallerTypes, smallerInputs]) {
      // From the beginning once more whenever there is a smaller one.
      for (let candidates = way(best); ; ) {
        const { value: candidate } = candidates.next();
        if (candidate === undefined || left-- <= 0) break;
        const smaller = tidy(candidate);
        if (!(yield smaller)) continue;
        best = smaller;
        isChanged = true;
        candidates = way(best);
      }
    }
  }
}

/** Without what nothing refers to. */
function tidy(program: Program): Program {
  const { inputs, definitions, results } = program;
  const used = new Set<string>();
  const open = [...results];
  const reach = (expression: Expression): void => {
    for (const { words } of within(expression))
      for (const [name] of words.join(" ").matchAll(/\w+/g)) {
        if (used.has(name)) continue;
        used.add(name);
        open.push(...definitions.flatMap((each) => (each.name === name ? [each.body] : [])));
      }
  };
  for (let expression = open.pop(); expression !== undefined; expression = open.pop()) reach(expression);
  return {
    ...program,
    inputs: inputs.filter(({ name }) => used.has(name)),
    definitions: definitions.filter(({ name }) => used.has(name)),
    results,
  };
}

function* fewerStatements(program: Program): Generator<Program> {
  const { results, definitions } = program;
  if (results.length > 1) for (const result of results) yield { ...program, results: [result] };
  for (const result of results)
    if (results.length > 2) yield { ...program, results: results.filter((each) => each !== result) };
  for (const definition of definitions) yield everywhere(program, (each) => inlined(each, definition));
  for (const { body } of definitions) yield { ...program, results: [body] };
}

/** Every expression of a program changed. */
function everywhere(program: Program, change: (expression: Expression) => Expression): Program {
  const deep = (expression: Expression): Expression =>
    change({ ...expression, parts: expression.parts.map(deep) });
  return {
    ...program,
    definitions: program.definitions.map((each) => ({ ...each, body: deep(each.body) })),
    results: program.results.map(deep),
  };
}

/** A call as the body of what is called. */
function inlined(expression: Expression, definition: Definition): Expression {
  const { name, parameters, lambdas, typeParameters, body } = definition;
  const isCall = expression.form === "call" && expression.words[0] === `${name}(`;
  if (!isCall && !(expression.form === "name" && expression.words[0] === name)) return expression;
  const passed = [...parameters, ...lambdas].map((each) => each.name);
  const deep = (each: Expression): Expression => {
    const at = each.form === "name" ? passed.indexOf(each.words[0] ?? "") : -1;
    return expression.parts[at] ?? { ...each, parts: each.parts.map(deep) };
  };
  const plain = typeParameters.reduce(
    (text, { name, argument }) =>
      respelt(text, (words) => words.replace(new RegExp(`\\b${name}\\b`, "g"), argument)),
    body,
  );
  return deep(plain);
}

function* smallerExpressions(program: Program): Generator<Program> {
  const { results, definitions } = program;
  for (const [at, result] of results.entries())
    for (const smaller of smallerThan(result))
      yield { ...program, results: results.map((each, index) => (index === at ? smaller : each)) };
  for (const [at, definition] of definitions.entries())
    for (const body of smallerThan(definition.body))
      yield {
        ...program,
        definitions: definitions.map((each, index) => (index === at ? { ...each, body } : each)),
      };
}

/** Each expression that is this one with one of its parts replaced by a smaller one; the largest parts first. */
function* smallerThan(expression: Expression): Generator<Expression> {
  if (expression.form === "lambda" || expression.form === "cell") yield* inParts(expression);
  else {
    yield* simple(expression);
    for (const part of below(expression, 24)) yield part;
    yield* inParts(expression);
  }
}

/** So many expressions within this one, the outermost first. */
function below(expression: Expression, most: number): Expression[] {
  const found: Expression[] = [];
  let level = expression.parts;
  while (level.length > 0 && found.length < most) {
    found.push(...level.filter(({ form }) => form !== "lambda" && form !== "cell"));
    level = level.flatMap(({ parts }) => parts);
  }
  return found.slice(0, most);
}

function* inParts(expression: Expression): Generator<Expression> {
  const { parts } = expression;
  for (const [at, part] of parts.entries())
    for (const smaller of smallerThan(part))
      yield { ...expression, parts: parts.map((each, index) => (index === at ? smaller : each)) };
}

/** The simplest expressions of the same type. */
function* simple(expression: Expression): Generator<Expression> {
  const { type, form, parts } = expression;
  if (type.isScalar) {
    for (const value of ["1", "2"]) {
      if (form === "number" && expression.words[0] === value) return;
      if (form !== "number" || value === "1" || expression.words[0] !== "1")
        yield assembled("number", type, [value]);
    }
    return;
  }
  if (!type.isBound || (parts.length === 0 && form === "literal")) return;
  const tensor = plainTensor(type);
  if (tensor !== undefined) yield assembled("literal", type, [`${tensor}`.replaceAll(".0", "")]);
}

/** A tensor of the cells 1, 2, 3 and so on, where they are few. */
function plainTensor(type: TensorType): Tensor | undefined {
  const labels = type.isDense ? [[]] : ["a", "b"].map((label) => type.mapped.map(() => label));
  const count = labels.length * type.blockSize;
  if (count > 12) return undefined;
  const sizes = type.indexed.map(({ size }) => size ?? 1);
  const numbers = Float64Array.from({ length: count }, (_, at) => at + 1);
  return Tensor.of(type.withCells("double"), sizes, labels, numbers).as(type);
}

/** Sizes and cell types that are simpler wherever they are written. */
function* smallerTypes(program: Program): Generator<Program> {
  const found = new Set<string>();
  for (const { type } of program.inputs)
    for (const each of type.indexed) found.add(`${each.name} ${each.size}`);
  for (const expression of expressionsOf(program))
    for (const [, name, size] of expression.words.join(" ").matchAll(/\b(\w+)\[(\d+)\]/g))
      found.add(`${name} ${size}`);
  for (const each of found) {
    const [name = "", size] = each.split(" ");
    for (const less of [1, 2, 3]) if (less < Number(size)) yield resized(program, name, Number(size), less);
  }
  for (const cellType of cellTypeNames.slice(1)) {
    const rewritten = reworded(program, (word) =>
      word.replaceAll(`<${cellType}>`, "").replaceAll(`, ${cellType})`, ", double)"),
    );
    yield {
      ...rewritten,
      inputs: program.inputs.map((input) =>
        input.type.cellType === cellType
          ? withValues(input, (value) => value.as(value.type.withCells("double")))
          : input,
      ),
    };
  }
}

function* expressionsOf({ results, definitions }: Program): Generator<Expression> {
  for (const each of [...results, ...definitions.map(({ body }) => body)]) yield* within(each);
}

const reworded = (program: Program, change: (word: string) => string): Program =>
  everywhere(program, (each) => ({ ...each, words: each.words.map(change) }));

/** A dimension of this size made smaller, in types, inputs and literals that are written flat. */
function resized(program: Program, name: string, size: number, less: number): Program {
  const rewritten = reworded(program, (word) => word.replaceAll(`${name}[${size}]`, `${name}[${less}]`));
  const cut = (input: Input): Input =>
    input.type.indexed.some((each) => each.name === name && each.size === size)
      ? withValues(input, (value) => cutTo(value, name, less))
      : input;
  return { ...rewritten, inputs: program.inputs.map(cut) };
}

function cutTo(tensor: Tensor, name: string, size: number): Tensor {
  const { type, sizes, labels } = tensor;
  const dimensions = type.dimensions.map((each) => (each.name === name ? { ...each, size } : each));
  const cells = [...tensor.cells()].filter(({ address }) => Number(address[name]) < size);
  const numbers = Float64Array.from(cells, ({ value }) => value);
  const shorter = sizes.map((each, at) => (type.indexed[at]?.name === name ? size : each));
  return ofNumbers(type.withDimensions(dimensions), shorter, labels, numbers);
}

function withValues(input: Input, change: (value: Tensor) => Tensor): Input {
  const [one, other, third] = input.values;
  const values = [change(one), change(other), change(third)] as const;
  return { ...input, values, type: values[0].type };
}

function* smallerInputs(program: Program): Generator<Program> {
  const { inputs } = program;
  const changed = (input: Input, change: (value: Tensor) => Tensor): Program => ({
    ...program,
    inputs: inputs.map((each) => (each === input ? withValues(each, change) : each)),
  });
  for (const input of inputs) {
    const [value] = input.values;
    if (!isPlain(value)) yield changed(input, plain);
    if (value.rows > 1) yield changed(input, (tensor) => rowsOf(tensor, 0, tensor.rows >> 1));
    if (value.rows > 1) yield changed(input, (tensor) => rowsOf(tensor, tensor.rows >> 1, tensor.rows));
    if (value.data.length <= 12)
      for (let at = 0; at < value.data.length; at++)
        if (value.at(at) !== at + 1) yield changed(input, (tensor) => withCell(tensor, at, at + 1));
  }
}

const isPlain = (tensor: Tensor): boolean =>
  numbersOf(tensor, (at) => tensor.at(at) - at - 1).every((each) => each === 0);

/** The cells 1, 2, 3 and so on. */
const plain = (tensor: Tensor): Tensor =>
  ofNumbers(
    tensor.type,
    tensor.sizes,
    tensor.labels,
    numbersOf(tensor, (at) => at + 1),
  );

const withCell = (tensor: Tensor, at: number, value: number): Tensor => {
  const numbers = numbersOf(tensor, (index) => (index === at ? value : tensor.at(index)));
  return ofNumbers(tensor.type, tensor.sizes, tensor.labels, numbers);
};

const numbersOf = ({ data }: Tensor, number: (at: number) => number): Float64Array =>
  Float64Array.from({ length: data.length }, (_, at) => number(at));

const rowsOf = (tensor: Tensor, from: number, to: number): Tensor => {
  const { type, sizes, labels, blockCells } = tensor;
  if (type.isDense) return tensor;
  const numbers = Float64Array.from({ length: (to - from) * blockCells }, (_, at) =>
    tensor.at(from * blockCells + at),
  );
  return ofNumbers(type, sizes, labels.slice(from, to), numbers);
};

const ofNumbers = (
  type: TensorType,
  sizes: readonly number[],
  labels: Tensor["labels"],
  numbers: Float64Array,
): Tensor => Tensor.of(type.withCells("double"), sizes, labels, numbers).as(type);
