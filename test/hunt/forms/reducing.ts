import { type Dimension, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal, Variable } from "../builder.js";
import { cellsOf, cellsThatDecayTo, isComputed } from "../dimensions.js";
import { assembled, type Expression, expressionOf } from "../expression.js";
import { labelOf, labelText } from "../values.js";

/** What has fewer dimensions than the tensor that it is made from. */

const aggregators = ["sum", "sum", "sum", "avg", "max", "min", "count", "prod", "median"];

/** A tensor with more dimensions than the goal, and which those are; often one that has a name already. */
export function wider(
  goal: Goal,
  builder: Builder,
  decays: boolean,
): { tensor: Expression; more: Dimension[] } | undefined {
  const { type, scope, budget } = goal;
  const { choice, dimensions } = builder;
  if (choice.percent(40)) {
    const suitable = builder.visible(scope).filter((each) => holds(each, type, decays));
    if (suitable.length > 0) {
      const variable = choice.oneOf(suitable);
      const more = variable.type.dimensions.filter(({ name }) => type.dimension(name) === undefined);
      return { tensor: builder.reference(variable), more };
    }
  }
  const most = choice.oneOf([1, 1, 1, 2, 2, 3]);
  const more = dimensions.others(type.names, most, false, !scope.isOpen);
  if (more.length === 0) return undefined;
  const cellType = type.isScalar
    ? choice.oneOf(["double", "double", "float", "bfloat16", "int8"] as const)
    : decays
      ? cellsThatDecayTo(type.cellType, choice)
      : type.cellType;
  const wide = TensorType.of(cellType, [...type.dimensions, ...more]);
  if (cellsOf(wide) > budget) return undefined;
  return { tensor: builder.part(goal, wide), more };
}

function holds({ type: wide }: Variable, type: TensorType, decays: boolean): boolean {
  if (wide.rank <= type.rank) return false;
  const rest = wide.withDimensions(wide.dimensions.filter(({ name }) => type.dimension(name) !== undefined));
  if (type.isScalar) return rest.isScalar;
  const decayed = decays ? rest.withCells(wide.cellType === "double" ? "double" : "float") : rest;
  return decayed.equals(type);
}

export const reducing: readonly Form[] = [
  {
    name: "reduce",
    weight: 16,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const { choice } = builder;
      const aggregator = choice.oneOf(aggregators);
      const found = wider(goal, builder, true);
      if (found === undefined) return undefined;
      const names = choice.shuffled(found.more.map(({ name }) => name));
      const isAll = goal.type.isScalar && choice.percent(50);
      const over = isAll ? "" : `, ${names.join(", ")}`;
      return expressionOf(aggregator, goal.type)`reduce(${found.tensor}, ${aggregator}${over})`;
    },
  },
  {
    name: "reductions of one tensor",
    weight: 3,
    fits: ({ type }) => isComputed(type) && type.rank > 0,
    make: (goal, builder) => {
      const { choice } = builder;
      const found = wider(goal, builder, true);
      if (found === undefined) return undefined;
      const { tensor, more } = found;
      const over = more.map(({ name }) => name).join(", ");
      const weights = builder.part(goal, TensorType.of(goal.type.cellType, more));
      const [one, other] = [choice.oneOf(aggregators), choice.oneOf(aggregators)];
      const operator = choice.oneOf(["/", "-", "*", "<"]);
      return expressionOf(
        "operator",
        goal.type,
      )`(reduce(${tensor} * ${weights}, ${one}, ${over}) ${operator} reduce(${tensor}, ${other}, ${over}))`;
    },
  },
  {
    name: "reduce nothing",
    weight: 1,
    fits: ({ type }) => type.isScalar,
    make: (goal, builder) => {
      const aggregator = builder.choice.oneOf(aggregators);
      return expressionOf(aggregator, goal.type)`reduce(${builder.scalar(goal)}, ${aggregator})`;
    },
  },
  {
    name: "slice",
    weight: 14,
    fits: () => true,
    make: (goal, builder) => {
      const found = wider(goal, builder, false);
      if (found === undefined) return undefined;
      const bindings = found.more.flatMap((dimension, at) => [
        ...(at === 0 ? [] : [", "]),
        `${dimension.name}:`,
        selector(dimension, goal, builder),
      ]);
      return assembled("slice", goal.type, [found.tensor, "{", ...bindings, "}"]);
    },
  },
];

/**
 * An index as it is, or a step, a turn, a window, a repetition, a bound or a choice of it, a function of a window, or what a narrow
 * cell makes of it.
 */
function ofIndexes(indexes: readonly Variable[], builder: Builder): Expression {
  const { choice } = builder;
  const [one, other] = [choice.oneOf(indexes), choice.oneOf(indexes)].map((each) => builder.reference(each));
  if (one === undefined || other === undefined || choice.percent(50)) return one ?? builder.number();
  const number = choice.between(1, 3);
  const form = expressionOf("operator", TensorType.scalar);
  switch (choice.below(11)) {
    case 0:
      return form`(${one} * ${number})`;
    case 1:
      return form`(${number} - ${one})`;
    case 2:
      return form`(${one} + ${other})`;
    case 3:
      return form`(${one} * ${number} + ${other})`;
    case 4:
      return form`(${one} % ${number})`;
    case 5:
      return expressionOf("min", TensorType.scalar)`min(${one}, ${number})`;
    case 6:
      return expressionOf("if", TensorType.scalar)`if(${one} > ${number}, ${other}, ${number} - ${one})`;
    case 7: {
      const index = choice.oneOf([form`${one}`, form`${one} * ${number}`, form`${number} - ${one}`]);
      return expressionOf("slice", TensorType.scalar)`tensor<int8>(q[4])(q / 2 + 0.5){q:(${index})}`;
    }
    case 8:
    case 9:
      return ofWindow(form`${one} + ${other} - ${number}`, builder);
    default:
      return form`floor(${one} / ${number})`;
  }
}

/** A label in a window that goes on at the other end, stays at the border, turns there, moves by half a step, jumps, or is rounded on the way. */
function ofWindow(sum: Expression, { choice }: Builder): Expression {
  const last = choice.between(1, 3);
  const form = expressionOf("operator", TensorType.scalar);
  switch (choice.below(8)) {
    case 0:
      return form`((${sum} + ${last + 1}) % ${last + 1})`;
    case 1:
      return expressionOf("min", TensorType.scalar)`max(0, min(${sum}, ${last}))`;
    case 2:
      return expressionOf("call", TensorType.scalar)`abs(${last} - abs(${last} - (${sum})))`;
    case 3:
      return expressionOf("call", TensorType.scalar)`floor((${sum}) / 2)`;
    case 4:
      return expressionOf("if", TensorType.scalar)`if(${sum} > ${last}, ${sum} - ${last + 1}, ${sum})`;
    case 5:
      return form`(${sum} + ${choice.oneOf(["0.1 + 0.1 + 0.8", "0.2 + 0.7 + 0.1", "0.5 - 0.5"])})`;
    case 6:
      return form`((${sum}) * 0.7 * 10 - 6 * (${sum}))`;
    default:
      return form`((${sum}) / 2)`;
  }
}

/** What stands behind the name of a dimension: a label, or a scalar. */
function selector({ kind, size }: Dimension, goal: Goal, builder: Builder): Expression | string {
  const { choice } = builder;
  if (choice.percent(65)) {
    const indexes = goal.scope.variables.filter(({ type }) => type.isScalar);
    const scalar =
      indexes.length > 0 && choice.percent(50) ? ofIndexes(indexes, builder) : builder.scalar(goal);
    return expressionOf("selector", TensorType.scalar)`(${scalar})`;
  }
  if (kind === "mapped") return choice.percent(90) ? labelText(labelOf(choice)) : choice.oneOf(['"2"', "zz"]);
  return `${choice.below(size ?? 3)}`;
}
