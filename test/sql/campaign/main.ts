import { mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { ChdbLibrary } from "../../../src/sql.js";
import { scriptOptions } from "../../options.js";
import { loaded } from "../installed.js";
import { Campaign, type CampaignOptions, type Looked } from "./campaign.js";
import { onClickHouse, onDuckDb, onPostgres, onShards } from "./engines.js";

/** Runs programs of the hunt on a database, and shows what has other values there. README.md says how to read it. */

const { values: settings } = scriptOptions({
  options: {
    on: { type: "string", default: "duckdb" },
    programs: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    /** A program alone. */
    program: { type: "string" },
  },
});

const folder = resolve("node_modules/.cache/sphex-campaign", `${process.pid}`);
mkdirSync(folder, { recursive: true });
const options = optionsOf(settings.on);
const campaign = await Campaign.of(options);
const counts: Record<Looked["kind"], number> = { agrees: 0, refused: 0, long: 0, none: 0, differs: 0 };
const reasons = new Map<string, number>();
const first = Number(settings.program ?? Number(settings.seed) * 1_000_000);
const last = settings.program === undefined ? first + Number(settings.programs) : first + 1;
try {
  for (let seed = first; seed < last; seed++) {
    const looked = await campaign.look(seed);
    counts[looked.kind]++;
    if (looked.kind === "refused") reasons.set(looked.reason, (reasons.get(looked.reason) ?? 0) + 1);
    if (looked.kind !== "differs") continue;
    const { message, text } = await campaign.told(seed, looked.disagreement);
    console.log(`\nnpm run campaign:sql -- --on ${settings.on} --program ${seed}\n${message}\n${text}`);
  }
} finally {
  await campaign.close();
  rmSync(folder, { recursive: true, force: true });
}
/** What is tried on an engine of this name. */
function optionsOf(name: string): CampaignOptions {
  if (name === "duckdb") return onDuckDb(folder);
  if (name === "shards") return onShards(folder);
  if (name !== "chdb") return onPostgres(name);
  const library = loaded("chdb") as ChdbLibrary | undefined; // as its documentation says
  if (library === undefined) throw new Error("the package chdb cannot be installed");
  return onClickHouse(async () => library);
}

for (const [reason, count] of reasons) console.log(`${`${count}`.padStart(6)} refused: ${reason}`);
console.log(
  `${last - first} programs on ${settings.on}: ${Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", ")}`,
);
process.exitCode = counts.differs > 0 ? 1 : 0;
