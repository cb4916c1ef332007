import type { Deployment } from "../../language/check/deployment.js";
import type { Problem } from "../../language/source/problem.js";
import { problem } from "./messages.js";
import type { Profile } from "./model.js";

/** What Vespa needs to know of a rank profile to deploy its expressions. */
export function deploymentOf({ constants }: Profile): Deployment {
  // Of a constant in a file Vespa knows no value when it deploys.
  const scalars = [...constants.values()].filter(
    ({ type, value }) => type.isScalar && value !== undefined && "text" in value,
  );
  return { constants: new Set(scalars.map(({ name }) => name)) };
}

/** A warning for each parameter with the name of a scalar constant, which Vespa puts in for it. */
export function hiddenParameters(profile: Profile): Problem[] {
  const { constants } = deploymentOf(profile);
  return [...profile.functions.values()].flatMap(({ name: { text }, parameters }) =>
    parameters
      .filter((each) => constants.has(each.text))
      .map((each) => {
        const span = profile.constants.get(each.text)?.span;
        const related = span === undefined ? [] : [{ span, label: "the constant" }];
        return problem("profile/hidden-parameter", each.span, { name: each.text, of: text }, related);
      }),
  );
}
