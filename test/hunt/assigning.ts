import { backends } from "../../src/backends/backends.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import { compile } from "../../src/program/compile.js";
import { backendProblems } from "../../src/program/runs/chosen-backend.js";
import type { Session } from "../../src/program/session.js";
import { cellsDiffer } from "../agreement.js";
import type { Input } from "./builder.js";
import type { Choice } from "./choice.js";
import { assembled, type Expression, textOf } from "./expression.js";
import { type Program, sourceOf } from "./program.js";
import { type Answer, limits, type Outcome, outcomeOf, Subject } from "./runs.js";

/**
 * A program that assigns to its retained tensors gives, run by run, what the same program gives without a memory: there the retained tensors
 * are inputs, and what is assigned are further results. Some inputs of a program become such tensors.
 */

/** How many runs a session has. */
const runs = 6;

/** What is wrong about a session of the program, if anything is. */
export function assigning(subject: Subject, choice: Choice): readonly Answer[] {
  const { program, isRandom, unsized } = subject;
  if (isRandom || unsized !== undefined || program.hosts.length > 0 || subject.dialect === "vespa") return [];
  const retained = choice.some(program.inputs.filter(({ type }) => type.isBound));
  const assigned = retained.map((each) => assignedTo(each, program, choice));
  const pure = Subject.ifSound({ ...program, results: [...program.results, ...assigned] });
  const backend = choice.oneOf(backends);
  if (retained.length === 0 || pure?.dialect !== "formalism") return [];
  if (backendProblems(pure.checked, { backend }).length > 0) return [];
  const inputs = program.inputs.filter((each) => !retained.includes(each));
  const types = Object.fromEntries(inputs.map(({ name, type }) => [name, type]));
  const text = assigningText(program, retained, assigned);
  const options = { inputs: types, limits, backend } as const;
  const session = compile(text, options).session();
  session.assign(Object.fromEntries(retained.map(({ name, values: [first] }) => [name, first])));
  const message = differenceIn(session, pure, { retained, choice, backend });
  return message === undefined ? [] : [{ run: 0, outcome: { kind: "crash", message } }];
}

/** The program as one that retains these inputs. */
function assigningText(
  program: Program,
  retained: readonly Input[],
  assigned: readonly Expression[],
): string {
  const declarations = retained.map(({ name, type }, at) => {
    const role = at % 2 === 0 ? "persistent" : "variable";
    return `${role} ${name}: ${type} = ${type.isScalar ? "0" : type.isDense ? `${type}(0)` : `${type}:{}`}`;
  });
  const assignments = retained.flatMap(({ name }, at) =>
    assigned.slice(at, at + 1).map((each) => `assign ${name} = ${textOf(each)}`),
  );
  return [...declarations, ...assignments, sourceOf(program)].join(";\n");
}

/** Something of the type of an input: another value of the program, or what it was, changed. */
function assignedTo({ name, type }: Input, program: Program, choice: Choice): Expression {
  const made = (...pieces: Parameters<typeof assembled>[2]): Expression =>
    assembled("assigned", type, pieces);
  const changed = made(`cell_cast(map(${name}, f(c)(c * 0.5 + 1)), ${type.cellType})`);
  const ofType = ({ type: other }: { readonly type: Input["type"] }): boolean => other.equals(type);
  const values = [
    ...program.results.filter(ofType),
    ...program.inputs.filter(ofType).map((each) => made(each.name)),
    ...program.definitions
      .filter(
        ({ parameters, lambdas, typeParameters, body }) =>
          parameters.length + lambdas.length + typeParameters.length === 0 && ofType(body),
      )
      .map((each) => made(each.name)),
  ];
  const value = choice.percent(30) ? changed : choice.oneOf(values);
  const condition = choice.oneOf(program.results);
  return choice.oneOf([
    value,
    value,
    made("if(reduce(", condition, ", sum) > 0, ", value, ", ", changed, ")"),
    made("cell_cast(merge(", value, `, ${name}, f(a, b)(a - b)), ${type.cellType})`),
  ]);
}

interface Setting {
  readonly retained: readonly Input[];
  readonly choice: Choice;
  readonly backend: (typeof backends)[number];
}

/** How a session differs from a program that is told each time what the session retains. */
function differenceIn(
  session: Session<object>,
  pure: Subject,
  { retained, choice, backend }: Setting,
): string | undefined {
  const stateless = pure.compiled({ backend });
  const names = retained.map(({ name }) => name);
  /** What was seen before, which later runs must not change. */
  const seen: { readonly tensor: Tensor; readonly text: string }[] = [];
  let state: Readonly<Record<string, Tensor>> = Object.fromEntries(
    retained.map(({ name, values: [first] }) => [name, first]),
  );
  for (let count = 1; count <= runs; count++) {
    const run = choice.oneOf([0, 1, 2] as const);
    const all = { ...pure.inputs(run), ...state };
    const inputs = Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
    const expected = outcomeOf(() => stateless.runAll(all).results);
    let results = 0;
    const found = outcomeOf(() => {
      const own = session.runAll(inputs).results;
      results = own.length;
      return [...own, ...names.map((name) => session.get(name))];
    });
    const message = difference(found, expected);
    if (message !== undefined) return `of run ${count}, on inputs ${run}, ${message}`;
    if (found.kind !== "values") continue;
    seen.push(...found.values.map((tensor) => ({ tensor, text: `${tensor}` })));
    const retainedNow = found.values.slice(results);
    state = Object.fromEntries(retainedNow.map((tensor, at) => [names[at] ?? "", tensor]));
  }
  const changed = seen.find(({ tensor, text }) => `${tensor}` !== text);
  return changed && `a later run made ${changed.tensor} of ${changed.text}`;
}

function difference(found: Outcome, expected: Outcome): string | undefined {
  if (found.kind === "crash" || found.kind === "endless") return found.message;
  if (expected.kind !== "values" || found.kind !== "values") {
    const [one, other] = [found, expected].map((each) => (each.kind === "problems" ? each.codes : each.kind));
    return one === other ? undefined : `${one} instead of ${other}`;
  }
  const messages = expected.values.map((value, at) => {
    const own = found.values[at];
    return own === undefined ? "a tensor too few" : cellsDiffer(own, value, { scale: 0, isFloat: false });
  });
  return messages.find((each) => each !== undefined);
}
