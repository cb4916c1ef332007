import type { Form } from "../builder.js";
import { assembled } from "../expression.js";

/** Functions of the host, which return what they are called with: what reaches them in another layout shows. */
export const hosting: readonly Form[] = [
  {
    name: "host call",
    weight: 1,
    fits: () => true,
    make: (goal, builder) => {
      const { choice, hosts } = builder;
      const suitable = hosts.find(({ type }) => type.equals(goal.type));
      if (suitable === undefined && hosts.length > 2) return undefined;
      const called = suitable ?? { name: builder.fresh("h"), type: goal.type, isPure: choice.percent(50) };
      if (suitable === undefined) hosts.push(called);
      return assembled("host call", goal.type, [`${called.name}(`, builder.part(goal, goal.type), ")"]);
    },
  },
];
