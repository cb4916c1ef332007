import { expect, test } from "vitest";
import { seeds } from "../chance.js";
import { patient } from "../patience.js";
import { Campaign, differenceText } from "./campaign/campaign.js";
import { composed } from "./campaign/compositions.js";
import { Oracle } from "./campaign/oracle.js";

/** Graphs of ONNX by chance, against ONNX Runtime: a few of those that `npm run campaign:models` tries. */
const oracle = Oracle.find();
if (oracle === undefined) console.info("onnxruntime-node is not installed: no graph is compared with it");

test.skipIf(oracle === undefined)("have the values of ONNX Runtime here", patient, async () => {
  if (oracle === undefined) return;
  const campaign = new Campaign(oracle);
  let agrees = 0;
  const all = seeds(40);
  for (const seed of all) {
    const looked = await campaign.look(seed);
    if (looked.kind === "differs")
      expect(differenceText(await campaign.told(looked.difference))).toBeUndefined();
    if (looked.kind === "agrees") agrees++;
  }
  expect(agrees).toBeGreaterThan(all.length * 0.8);
});

test.skipIf(oracle === undefined)("have them within formulas", patient, async () => {
  if (oracle === undefined) return;
  const counts = new Map<string, number>();
  for (const seed of seeds(12)) expect((await composed(seed, oracle, counts)) ?? []).toEqual([]);
  expect(counts.size).toBeGreaterThan(4);
});
