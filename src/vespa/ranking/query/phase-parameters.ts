import type { JsonValue } from "../../../formats/json/value.js";
import type { Problem } from "../../../language/source/problem.js";
import { parameterText, type Query } from "../../documents/query.js";
import type { PhaseName } from "../../package/model/model.js";
import { problem } from "../messages.js";

/** What a request may say of a phase instead of the rank profile. */
type PhaseSetting = "rerank count" | "score drop limit";

/** The parameters that say it, the one that counts where there are several first. */
// biome-ignore format: a table
const parameterNames: Readonly<Record<PhaseName, Readonly<Record<PhaseSetting, readonly string[]>>>> = {
  "first-phase":  { "rerank count": [], "score drop limit": ["ranking.rankScoreDropLimit"] },
  "second-phase": { "rerank count": ["ranking.rerankCount", "ranking.secondPhase.rerankCount", "ranking.secondPhase.totalRerankCount"],
                    "score drop limit": ["ranking.secondPhase.rankScoreDropLimit"] },
  "global-phase": { "rerank count": ["ranking.globalPhase.rerankCount"],
                    "score drop limit": ["ranking.globalPhase.rankScoreDropLimit"] },
};

type PhaseQuery = Pick<Query, "parameters"> | undefined;

/** The number that a request says for a phase. */
export function phaseNumber(query: PhaseQuery, phase: PhaseName, setting: PhaseSetting): number | undefined {
  const values = parameterNames[phase][setting].map((name) => query?.parameters.get(name));
  const value = values.find((each) => each !== undefined);
  return value === undefined ? undefined : numberOf(value, setting);
}

/** Nothing where it is no number, or none that counts hits. */
function numberOf(value: JsonValue, setting: PhaseSetting): number | undefined {
  const text = parameterText(value).trim();
  const number = Number(text);
  const fits = setting === "rerank count" ? Number.isInteger(number) && number >= 0 : !Number.isNaN(number);
  return text !== "" && fits ? number : undefined;
}

/** The parameters of phases that Vespa refuses, because they are no numbers. */
export function phaseProblems(query: PhaseQuery): Problem[] {
  const settings = Object.values(parameterNames).flatMap((phase) => Object.entries(phase));
  return settings.flatMap(([key, names]) =>
    names.flatMap((name) => {
      const value = query?.parameters.get(name);
      const isCount = key === "rerank count";
      return value === undefined || numberOf(value, isCount ? key : "score drop limit") !== undefined
        ? []
        : [problem("ranking/phase-parameter", value.span, { name, found: value, isCount })];
    }),
  );
}
