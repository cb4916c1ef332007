import { difference } from "./agreement.js";
import type { Companion } from "./companion.js";
import type { Contender } from "./contender.js";
import { asFunction, disposed, inPython, otherWays, ours, prepared } from "./contenders.js";
import { Draw } from "./draw.js";
import type { Build } from "./library.js";
import type { Python } from "./python.js";
import type { Outcome } from "./report.js";
import { type Effort, type Measured, measure } from "./rounds.js";
import { withThreads } from "./threads.js";
import { verdictOf } from "./verdict.js";
import type { PeerName, Workload } from "./workload.js";

/** Who else is there. */
export interface Field {
  readonly python: Python | undefined;
  readonly companion: Companion;
}

/** How a workload is measured. */
export interface Manner {
  readonly effort: Effort;
  /** Options of the library. */
  readonly options: object;
  readonly isWide: boolean;
  /** Another build, whose times are shown as those before. */
  readonly before: Build | undefined;
  /** Whether other ways to call the library are timed as well. */
  readonly inAllWays: boolean;
}

/** In which peers take their turns. */
const order: readonly string[] = ["loop", "numpy", "scipy", "onnx", "tfjs", "jax"] satisfies PeerName[];

/** Measures a workload with all who agree with us on what comes out, on as many threads as it wants. */
export async function outcomeOf(workload: Workload, field: Field, manner: Manner): Promise<Outcome> {
  const threads = await withThreads(workload.threads ?? 1);
  try {
    return await measured(workload, field, manner);
  } finally {
    await threads?.stop();
  }
}

async function measured(workload: Workload, field: Field, manner: Manner): Promise<Outcome> {
  const { name, expression, targets = [] } = workload;
  const inputs = workload.inputs(new Draw(1));
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
  const { options, before, inAllWays } = manner;
  const our = await attempt("ours", async () => prepared(ours, workload, inputs, options));
  const answer = our === undefined ? undefined : await attempt("ours", our.answer);
  if (our !== undefined && answer !== undefined) {
    agreed.push(our);
    const parties = before === undefined ? [ours] : [ours, { name: "before", build: before }];
    const others = await attempt("before", async () =>
      parties.flatMap((party) => [
        ...(party === ours ? [] : [prepared(party, workload, inputs, options)]),
        ...(inAllWays ? otherWays : disposed)(party, workload, inputs, options),
      ]),
    );
    const { python, companion } = field;
    const peers: Contender[] = [
      ...(python === undefined ? [] : inPython(workload, inputs, python)),
      ...((await attempt("peers", () => companion.contenders(workload))) ?? []),
    ];
    peers.sort((left, right) => order.indexOf(left.name) - order.indexOf(right.name));
    agreed.push(...(others ?? []));
    for (const peer of peers)
      await attempt(peer.name, async () => {
        const found = difference(workload, peer.name, inputs, answer, await peer.answer());
        if (found === undefined) agreed.push(peer);
        else problems.push(`${peer.name} DISAGREES: ${found}`);
      });
    agreed.push(...((await attempt("ours", async () => asFunction(ours, workload, inputs, options))) ?? []));
  }
  const nobody: readonly Measured[] = [];
  const times = (await attempt("measuring", () => measure(agreed, manner.effort))) ?? nobody;
  const verdicts = targets.flatMap((each) => verdictOf(each, times, manner.isWide) ?? []);
  const shown = expression.length > 200 ? `${expression.slice(0, 200)}…` : expression;
  return { name, expression: shown, measured: times, verdicts, problems };
}
