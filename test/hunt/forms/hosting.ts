import { TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal, HostFunction } from "../builder.js";
import { anyCells } from "../dimensions.js";
import { assembled, listed } from "../expression.js";

/** Functions of the host, which return an argument, or count cells: what reaches them in another layout shows. */
export const hosting: readonly Form[] = [
  {
    name: "host call",
    weight: 1,
    fits: () => true,
    make: (goal, builder) => {
      const { hosts } = builder;
      const suitable = hosts.find(({ type }) => type.equals(goal.type));
      if (suitable === undefined && hosts.length > 2) return undefined;
      const called = suitable ?? hostOf(goal, builder);
      if (suitable === undefined) hosts.push(called);
      const values = called.parameters.map((type) => builder.part(goal, type));
      return assembled("host call", goal.type, [`${called.name}(`, ...listed(values), ")"]);
    },
  },
];

/** A new function of the type: of a tensor of that type and perhaps of others, or of any tensors where it is a scalar. */
function hostOf({ type, scope }: Goal, builder: Builder): HostFunction {
  const { choice, dimensions } = builder;
  const others = Array.from({ length: choice.oneOf([0, 0, 1, 2]) }, () =>
    TensorType.of(anyCells(choice), dimensions.others([], choice.below(3), false, !scope.isOpen)),
  );
  const [name, isPure] = [builder.fresh("h"), choice.percent(50)];
  if (type.equals(TensorType.scalar) && others.length > 0 && choice.percent(50))
    return { name, type, parameters: others, isPure };
  const returned = choice.below(others.length + 1);
  return { name, type, parameters: others.toSpliced(returned, 0, type), returned, isPure };
}
