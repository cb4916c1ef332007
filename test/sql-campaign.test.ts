import { afterAll, beforeAll, expect, test } from "vitest";
import { seeds } from "./chance.js";
import { hasDuckDb } from "./duckdb.js";
import { temporaryFolder } from "./folder.js";
import { patient } from "./patience.js";
import { Campaign } from "./sql-campaign/campaign.js";
import { onDuckDb } from "./sql-campaign/engines.js";

/** Programs of the hunt on DuckDB, with inputs bound in all ways: a few of those that `npm run campaign:sql` tries. */
const folder = temporaryFolder();
let campaign: Campaign | undefined;
beforeAll(async () => {
  if (hasDuckDb) campaign = await Campaign.of(onDuckDb(folder));
});
afterAll(async () => {
  await campaign?.close();
});

test.skipIf(!hasDuckDb)("have the values of the reference there", patient, async () => {
  let agrees = 0;
  const all = seeds(60);
  for (const seed of all) {
    const looked = await campaign?.look(seed);
    if (looked?.kind === "differs") expect(await campaign?.told(seed, looked.disagreement)).toBeUndefined();
    if (looked?.kind === "agrees") agrees++;
  }
  expect(agrees).toBeGreaterThan(all.length * 0.7);
});
