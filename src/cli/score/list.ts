import { visibleJson } from "../../index.js";
import {
  distributionOf,
  distributionsText,
  documentId,
  hitJson,
  listText,
  movesText,
  type Outcome,
  type RankedDocument,
  rankMoves,
  type Scorer,
} from "../../vespa.js";
import { type Io, write } from "../terminal/io.js";
import type { ScoreFlags } from "./hits.js";
import { inspectHit } from "./inspect.js";
import type { PreparedScore } from "./preparation.js";

/** Hits that are ranked, best hits first, and what ranked them. */
interface RankedList {
  readonly prepared: PreparedScore;
  readonly scorer: Scorer;
  readonly ranked: readonly RankedDocument[];
  readonly flags: ScoreFlags;
}

/** What is written of a ranked list. */
type ListOutput = "inspection" | "distributions" | "comparison" | "hits";

/** Writes what the flags ask for of a ranked list. */
export const writeRanked = (list: RankedList, io: Io): Promise<void> => outputs[outputOf(list)](list, io);

const outputs: { readonly [K in ListOutput]: (list: RankedList, io: Io) => Promise<void> } = {
  inspection: writeInspection,
  distributions: writeDistributions,
  comparison: writeComparison,
  hits: writeHits,
};

function outputOf({ flags, ranked }: RankedList): ListOutput {
  const isInspected = flags.explain !== undefined || flags.why !== undefined;
  if (isInspected && ranked.length > 0) return "inspection";
  if (flags.distributions === true) return "distributions";
  return flags.compare === undefined ? "hits" : "comparison";
}

/** How a phase or a function is computed for the best hit. */
async function writeInspection({ scorer, ranked, flags }: RankedList, io: Io): Promise<void> {
  for (const best of ranked.slice(0, 1))
    await write(io.stdout, `${documentId(best)}\n${inspectHit(scorer, best, flags)}\n`);
}

/** How the values of phases and functions that are numbers lie over the documents. */
async function writeDistributions({ scorer, ranked, flags }: RankedList, io: Io): Promise<void> {
  // What match-features and summary-features list may be a function, or be in both.
  const names = new Map(scorer.program.quantities.toReversed().map((each) => [each.name, each]));
  const quantities = scorer.program.quantities.filter(
    (each) => each.type?.isScalar === true && names.get(each.name) === each,
  );
  const keys = quantities.map(({ key }) => key);
  const rows = ranked.map((each) => scorer.values(keys, each.hit, each.list));
  const all = quantities.map(({ key, name }) =>
    distributionOf(
      name,
      rows.flatMap((row) => {
        const outcome = row.get(key);
        return outcome?.kind === "value" ? [outcome.value.asNumber()] : [];
      }),
    ),
  );
  if (flags.json === true) await write(io.stdout, all.map((each) => `${visibleJson(each)}\n`).join(""));
  else await write(io.stdout, `${distributionsText(all)}\n`);
}

/** Which hits of a response move, and which values were taken from it. */
async function writeComparison({ prepared, ranked, flags }: RankedList, io: Io): Promise<void> {
  const { previous, ranking, features } = prepared;
  const moved = rankMoves(
    previous,
    ranked.map((each) => ({ id: documentId(each), score: each.score })),
  );
  if (flags.json === true) await write(io.stdout, moved.map((each) => `${visibleJson(each)}\n`).join(""));
  else await write(io.stdout, `${movesText(moved)}\n`);
  const taken = ranking.taken.filter((name) => !features.has(name));
  if (taken.length > 0) await write(io.stderr, `taken from the response: ${taken.join(", ")}\n`);
}

/** As text the head of the list, as JSON each hit with its match features, as they are computed. */
async function writeHits({ scorer, ranked, flags }: RankedList, io: Io): Promise<void> {
  const most = flags.top ?? (flags.json !== true && io.isTTY.stdout === true ? 10 : Number.POSITIVE_INFINITY);
  if (flags.json !== true) {
    await write(io.stdout, `${listText(ranked, most)}\n`);
    return;
  }
  const matchFeatures = scorer.program.quantities.filter(({ kind }) => kind === "match-features");
  for (const [at, each] of ranked.slice(0, most).entries()) {
    const values = scorer.values(
      matchFeatures.map(({ key }) => key),
      each.hit,
      each.list,
    );
    const named = new Map(
      matchFeatures.flatMap(({ key, name }): [string, Outcome][] => {
        const outcome = values.get(key);
        return outcome === undefined ? [] : [[name, outcome]];
      }),
    );
    await write(io.stdout, `${visibleJson(hitJson(each, at + 1, named))}\n`);
  }
}
