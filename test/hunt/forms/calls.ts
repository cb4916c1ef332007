import { TensorType } from "../../../src/language/types/type.js";
import {
  type Builder,
  closedScope,
  type Definition,
  type Form,
  type Goal,
  nothingPassed,
  type Role,
  type Variable,
} from "../builder.js";
import { anyCells, cellsOf } from "../dimensions.js";
import { assembled, type Expression, listed, textOf } from "../expression.js";
import { lambdaOfScalars } from "./elementwise.js";
import { generalised } from "./generalised.js";

const roles: readonly (Role | undefined)[] = [
  ...[undefined, undefined, undefined, undefined],
  ...(["input", "input", "constant", "variable", "persistent"] as const),
];

/** Functions and values that the program defines. */
export const calls: readonly Form[] = [
  {
    name: "call",
    weight: 5,
    fits: ({ type }) => type.isBound,
    make: (goal, builder) => {
      const suitable = builder.definitions.filter(
        ({ parameters, body }) => parameters.length > 0 && body.type.equals(goal.type),
      );
      const isNew = suitable.length === 0 || builder.choice.percent(30);
      const called = isNew ? defined(goal, builder) : builder.choice.oneOf(suitable);
      if (called === undefined) return undefined;
      const values = called.parameters.map(({ type }) => builder.part(goal, type));
      const lambdas = called.lambdas.map(({ arity }) =>
        lambdaOfScalars(goal, builder, arity, cellsOf(goal.type)),
      );
      const texts = called.typeParameters.map(({ argument }) => argument);
      const passed = listed([...values, ...lambdas, ...texts]);
      return assembled("call", goal.type, [`${called.name}(`, ...passed, ")"]);
    },
  },
  {
    name: "named value",
    weight: 2,
    fits: ({ scope }) => scope.isOpen && scope.variables.length === 0,
    make: (goal, builder) => {
      if (!builder.mayDefine) return undefined;
      const role = builder.choice.oneOf(roles);
      // What a program keeps between runs cannot depend on its inputs.
      const isFree = role === undefined || role === "input";
      if (!isFree && !goal.type.isBound) return undefined;
      const body = builder.part(goal, goal.type, isFree ? goal.scope : closedScope([]));
      const name = builder.fresh("v");
      const isAssigned = role === "variable" || role === "persistent";
      builder.definitions.push({
        ...{ name, parameters: [], ...nothingPassed, body },
        ...(role === undefined ? {} : { role }),
        ...(isAssigned ? { assigned: builder.tensor(goal.type) } : {}),
      });
      return builder.reference({ name, type: goal.type });
    },
  },
  {
    name: "captured value",
    weight: 1,
    fits: ({ type, scope }) => type.isScalar && !scope.isOpen,
    make: (goal, builder) => {
      if (!builder.mayDefine) return undefined;
      const body = builder.scalar(goal, closedScope([]));
      // A lambda sees numbers of the program that are the same ones in all runs.
      if ([body, ...builder.definitions.map((each) => each.body)].some(isRandom)) return undefined;
      const name = builder.fresh("c");
      builder.definitions.push({ name, parameters: [], ...nothingPassed, body });
      return builder.reference({ name, type: goal.type });
    },
  },
];

const isRandom = (expression: Expression): boolean => /\brandom\b/.test(textOf(expression));

/** A new function of the type. */
function defined(goal: Goal, builder: Builder): Definition | undefined {
  if (!builder.mayDefine) return undefined;
  const { choice, dimensions } = builder;
  const parameters = Array.from({ length: choice.between(1, 2) }, (): Variable => {
    const own = choice.some(goal.type.dimensions);
    const more = dimensions.others(goal.type.names, choice.below(2), false, true);
    const type = choice.percent(40) ? TensorType.scalar : TensorType.of(anyCells(choice), [...own, ...more]);
    return { name: builder.fresh("q"), type };
  });
  const body = builder.part(goal, goal.type, closedScope(parameters));
  const definition = generalised({ name: builder.fresh("g"), parameters, ...nothingPassed, body }, builder);
  builder.definitions.push(definition);
  return definition;
}
