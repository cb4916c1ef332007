import { featureListNames, type Profile, phaseNames } from "../model/model.js";

/**
 * Vespa has the expression of a phase under the name `firstphase`, `secondphase` or `globalphase`, where it has functions without
 * parameters as well: a function of such a name and the phase become one and the same. The expression of the phase counts, and the
 * function's where a list of features has its name. An inline function that is in none has its own.
 */
export function withPhaseFunctions<P extends Pick<Profile, "functions" | "phases" | "features">>(
  profile: P,
): P {
  const functions = new Map(profile.functions);
  const phases = { ...profile.phases };
  const listed = new Set(
    featureListNames.flatMap((list) => profile.features[list] ?? []).map(({ name }) => name),
  );
  for (const name of phaseNames) {
    const called = name.replace("-", "");
    const [own, phase] = [functions.get(called), phases[name]];
    if (own === undefined || own.parameters.length > 0 || phase?.expression === undefined) continue;
    if (listed.has(called)) phases[name] = { ...phase, expression: own.expression };
    else if (!own.isInline) functions.set(called, { ...own, expression: phase.expression });
  }
  return { ...profile, functions, phases };
}
