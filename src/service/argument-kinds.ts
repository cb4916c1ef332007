import { functionDescriptions } from "../language/check/descriptions/function-descriptions.js";
import { aggregatorNames } from "../language/scalar/aggregators.js";
import { cellTypeNames } from "../language/types/cell.js";
import { parametersOf } from "./parameters.js";

/** What may stand where a function has an argument: values, dimensions, those of the arguments before it, or one of a few words. */
export type ArgumentKind = "value" | "dimension" | "own dimension" | { readonly words: readonly string[] };

// biome-ignore format: a table
const kinds: Readonly<Record<string, readonly ArgumentKind[]>> = {
  dimension:       ["own dimension"],
  d:               ["own dimension"],
  size:            ["dimension"],
  name:            ["dimension", "value"],
  aggregator:      [{ words: aggregatorNames }],
  "cell type":     [{ words: cellTypeNames }],
  "max or min":    [{ words: ["max", "min"] }],
  "big or little": [{ words: ["big", "little"] }],
  "f(x)(…)":       [{ words: [] }],
  "f(x,y)(…)":     [{ words: [] }],
};

/** Functions whose dimension may be one that their arguments have not. */
const adding = new Set(["concat", "expand"]);

/** What a function of the language takes at a position, from 0; of one of the text nobody knows. */
export function argumentKinds(name: string, position: number): readonly ArgumentKind[] {
  const signature = functionDescriptions().get(name)?.signature;
  if (signature === undefined) return position === 0 ? ["value"] : ["dimension", "value"];
  // `max(tensor, dimension, …) or max(left, right)`
  const found = signature.split(") or ").flatMap((each) => kindsIn(`${each})`, position));
  const all = found.map((kind) => (kind === "own dimension" && adding.has(name) ? "dimension" : kind));
  return [...new Set(all)];
}

function kindsIn(signature: string, position: number): readonly ArgumentKind[] {
  const names = parametersOf(signature).map(({ start, end }) => signature.slice(start, end));
  const repeated = names.at(-1) === "…" && position >= names.length - 2 ? names.at(-2) : undefined;
  const name = repeated ?? names[position];
  return name === undefined ? [] : (kinds[name] ?? ["value"]);
}
