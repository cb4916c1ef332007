import type { Deployment } from "../../../language/check/deployment/deployment.js";
import { bareWord } from "../../../language/check/names.js";
import type { Problem } from "../../../language/source/problem.js";
import type { Argument } from "../../../language/syntax/tree.js";
import { Tensor } from "../../../language/values/tensor.js";
import { problem } from "../model/messages.js";
import type { Profile } from "../model/model.js";
import { constantValue } from "./constant-values.js";
import { definedDimensions } from "./defined-dimensions.js";

/** What Vespa puts in for names when it deploys the expressions of a rank profile; types are those that it checks before. */
export function deploymentOf({ constants, functions }: Profile): Deployment {
  const numbers = [...constants.values()].flatMap((each): [string, number][] => {
    // Of a constant in a file Vespa knows no value when it deploys.
    if (!each.type.isScalar || each.value === undefined || "file" in each.value) return [];
    const value = constantValue(each, nothingInFiles);
    return [[each.name, value instanceof Tensor ? value.at(0) : Number.NaN]];
  });
  const inline = [...functions.values()].flatMap(({ name, isInline, parameters, expression: { tree } }) =>
    isInline && parameters.length === 0 && tree !== undefined ? [[name.text, tree] as const] : [],
  );
  return {
    constants: new Map(numbers),
    inline: new Map(inline),
    isTypedAsDeployed: false,
    dimensionsOf: (tree, environment) => definedDimensions(tree, environment, constants),
  };
}

const nothingInFiles = { tensor: () => [] };

/** The number that an argument is once the profile is deployed: as it is written, or that of `constant(k)`. */
export function deployedNumber(argument: Argument | undefined, profile: Profile): number | undefined {
  if (argument?.kind === "number") return argument.value;
  if (argument?.kind !== "reference" || argument.name.text !== "constant") return undefined;
  const [word] = argument.arguments ?? [];
  const name = word === undefined ? undefined : bareWord(word)?.text;
  return name === undefined ? undefined : deploymentOf(profile).constants.get(name);
}

/** A warning for each parameter with the name of a scalar constant or an inline function, which Vespa puts in for it. */
export function hiddenParameters(profile: Profile): Problem[] {
  const { constants, inline } = deploymentOf(profile);
  return [...profile.functions.values()].flatMap(({ name: { text }, parameters }) =>
    parameters
      .filter((each) => constants.has(each.text) || inline.has(each.text))
      .map((each) => {
        const by = constants.has(each.text) ? "constant" : "inline function";
        const span = profile.constants.get(each.text)?.span ?? profile.functions.get(each.text)?.name.span;
        const related = span === undefined ? [] : [{ span, label: `the ${by}` }];
        return problem("profile/hidden-parameter", each.span, { name: each.text, of: text, by }, related);
      }),
  );
}
