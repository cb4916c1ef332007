import { difference } from "./agreement.js";
import type { Contender } from "./contender.js";
import { type Field, ours, peersOf } from "./contenders.js";
import { Draw } from "./draw.js";
import type { Outcome } from "./report.js";
import { type Effort, type Measured, measure } from "./rounds.js";
import { verdictOf } from "./verdict.js";
import type { Workload } from "./workload.js";

/** How a workload is measured. */
export interface Manner {
  readonly effort: Effort;
  /** Options of the library. */
  readonly options: object;
  readonly isWide: boolean;
}

/** Measures a workload with all who agree with us on what comes out. */
export async function outcomeOf(workload: Workload, field: Field, manner: Manner): Promise<Outcome> {
  const { name, expression, targets = [] } = workload;
  const inputs = workload.given(new Draw(1));
  const problems: string[] = [];
  const attempt = async <T>(who: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      problems.push(`${who} FAILED: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
      return undefined;
    }
  };
  const agreed: Contender[] = [];
  const our = await attempt("ours", async () => ours(workload, inputs, manner.options));
  const answer = our === undefined ? undefined : await attempt("ours", our.answer);
  if (our !== undefined && answer !== undefined) {
    agreed.push(our);
    for (const peer of peersOf(workload, inputs, field))
      await attempt(peer.name, async () => {
        const contender = await peer.contender();
        const found = difference(workload, peer.name, inputs, answer, await contender.answer());
        if (found === undefined) agreed.push(contender);
        else problems.push(`${peer.name} DISAGREES: ${found}`);
      });
  }
  const nobody: readonly Measured[] = [];
  const measured = (await attempt("measuring", () => measure(agreed, manner.effort))) ?? nobody;
  const verdicts = targets.flatMap((each) => verdictOf(each, measured, manner.isWide) ?? []);
  const shown = expression.length > 200 ? `${expression.slice(0, 200)}…` : expression;
  return { name, expression: shown, measured, verdicts, problems };
}
