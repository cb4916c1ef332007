import { describe, expect, test } from "vitest";
import { seeds } from "../chance.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { Campaign } from "./campaign/campaign.js";
import { onDuckDb, onShards } from "./campaign/engines.js";
import { hasDuckDb } from "./duckdb.js";

/** Programs of the hunt on DuckDB, with inputs bound in all ways: a few of those that `npm run campaign:sql` tries. */
const folder = temporaryFolder();

describe.skipIf(!hasDuckDb)("have the values of the reference", () => {
  test.each([
    { on: "one database", options: onDuckDb, tries: 60 },
    { on: "the shards of a cluster", options: onShards, tries: 30 },
  ])("on $on", patient, async ({ options, tries }) => {
    const campaign = await Campaign.of(options(folder));
    let agrees = 0;
    const all = seeds(tries);
    for (const seed of all) {
      const looked = await campaign.look(seed);
      if (looked.kind === "differs") expect(await campaign.told(seed, looked.disagreement)).toBeUndefined();
      if (looked.kind === "agrees") agrees++;
    }
    await campaign.close();
    expect(agrees).toBeGreaterThan(all.length * 0.7);
  });
});
