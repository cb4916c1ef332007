import type { TensorType } from "../../src/language/types/type.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import { combinations } from "./cells.js";
import { assembled, type Expression, listed, sizeOf, within } from "./expression.js";
import type { Program } from "./program.js";
import type { Reference } from "./reference.js";
import { type Answer, outcomeOf, type Run, Subject } from "./runs.js";
import { numberText } from "./values.js";

/**
 * What a lambda means with a scalar of the program in it is what it means with the number in its place, which the checker reads in
 * another way: no lambda has more parameters than it is written with.
 */

type Numbers = ReadonlyMap<string, number>;

/** The forms whose body sees indexes. */
const generators: ReadonlySet<string> = new Set(["generate", "filled"]);

/** How long a literal may be that stands for a generator, in expressions, and how long programs may become by all of them. */
const [longest, longestProgram] = [3000, 20_000];

/** Forms that depend on the name itself: a number in its place has another derivative. */
const derivatives: ReadonlySet<string> = new Set(["gradient", "jvp"]);

/** What the reference makes of a program with numbers in its lambdas. */
export function numbersInLambdas(subject: Subject, _: unknown, reference: Reference): readonly Answer[] {
  if (subject.isRandom) return [];
  // Vespa's dialect may have the program with numbers where it does not have this one, which is then read in the other.
  const own: Program = { ...subject.program, dialect: subject.dialect };
  return ([0, 1, 2] as const).flatMap((run): readonly Answer[] => {
    const program = withNumbersInLambdas(own, scalarsOf(subject, reference, run));
    // It may show a mistake before it runs, such as a label that there is not.
    const other = program && Subject.ifSound(program);
    if (other === undefined) return [];
    const compiled = other.compiled({ backend: "reference" });
    return [{ run, outcome: outcomeOf(() => compiled.runAll(other.inputs(run)).results) }];
  });
}

/** The numbers that a program's inputs and named values are in a run, where they are numbers. */
function scalarsOf(subject: Subject, reference: Reference, run: Run): Numbers {
  const outcome = reference.outcome(run);
  const named = outcome.kind === "values" ? outcome.values.slice(reference.results) : [];
  const names = [...subject.checked.values.keys()];
  const values = named.map((value, at): [string, Tensor] => [names[at] ?? "", value]);
  const scalars = [...values, ...Object.entries(subject.inputs(run))].filter(([, { type }]) => type.isScalar);
  return new Map(scalars.map(([name, value]) => [name, value.at(0)]));
}

/** The program with numbers for these names wherever lambdas see them; nothing where they see none, a derivative is taken, or it is too long. */
export function withNumbersInLambdas(program: Program, numbers: Numbers): Program | undefined {
  const isDifferentiated = program.results.some((each) =>
    [...within(each)].some(({ form }) => derivatives.has(form)),
  );
  if (isDifferentiated) return undefined;
  let [count, length] = [0, 0];
  /** The expression, with numbers for indexes anywhere in it, and for names of the program in lambdas. */
  const changed = (expression: Expression, indexes: Numbers, isInLambda: boolean): Expression => {
    const { form, type, words, parts } = expression;
    // Of generators within generators each has all the indexes of those around it.
    if (length++ > longestProgram) return expression;
    if (form === "name") {
      const [name = ""] = words;
      const number = indexes.get(name) ?? (isInLambda ? numbers.get(name) : undefined);
      if (number === undefined) return expression;
      count++;
      return assembled("number", type, [numberText(number)]);
    }
    const [body] = parts;
    if (body !== undefined && generators.has(form)) {
      if (isUnrolled(expression, body)) {
        const cells = addressesOf(type).map((own) =>
          changed(body, new Map([...indexes, ...own]), isInLambda),
        );
        return assembled("literal", type, [`${type}:[`, ...listed(cells), "]"]);
      }
      const outer = new Map([...indexes].filter(([name]) => type.dimension(name) === undefined));
      return { ...expression, parts: [changed(body, outer, isInLambda)] };
    }
    const isWithin = isInLambda || form === "lambda";
    return { ...expression, parts: parts.map((part) => changed(part, indexes, isWithin)) };
  };
  const whole = (expression: Expression): Expression => changed(expression, new Map(), false);
  const definitions = program.definitions.map((each) => ({ ...each, body: whole(each.body) }));
  const results = program.results.map(whole);
  return count === 0 || length > longestProgram ? undefined : { ...program, definitions, results };
}

/** Whether a generator is written as a literal: a lambda in it sees its indexes, and it is short. */
function isUnrolled({ type, words }: Expression, body: Expression): boolean {
  // A function may have parameters in the place of its dimensions.
  if (words[0] !== `${type}(` || type.blockSize * sizeOf(body) > longest) return false;
  return [...within(body)].some((each) => each.form === "lambda" && mentions(each, type.names));
}

const mentions = (expression: Expression, names: readonly string[]): boolean =>
  [...within(expression)].some(({ form, words }) => form === "name" && names.includes(words[0] ?? ""));

/** The indexes of each cell, in the order of a literal. */
const addressesOf = (type: TensorType): readonly Numbers[] =>
  combinations(new Map(type.indexed.map(({ name, size = 0 }) => [name, size]))).map(
    (address) => new Map(Object.entries(address).map(([name, label]) => [name, Number(label)])),
  );
