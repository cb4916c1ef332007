import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { scriptOptions } from "../../options.js";
import { type ForestCase, forestDifferences } from "./forest-case.js";

/**
 * `npm run campaign:trees -- --python FILE --seed 1 --forests 300` trains forests by chance with XGBoost and LightGBM, which that Python
 * has, and looks for rows for which a forest predicts something else here. Exit code 1 says that there are some.
 */

const { values: settings } = scriptOptions({
  options: {
    python: { type: "string", default: "python3" },
    seed: { type: "string", default: "1" },
    forests: { type: "string", default: "300" },
    /** A forest alone. */
    forest: { type: "string" },
  },
});

const counts = { agrees: 0, differs: 0 };
const first = Number(settings.forest ?? Number(settings.seed) * 1_000_000);
const count = settings.forest === undefined ? settings.forests : "1";
const python = spawn(settings.python, ["test/models/trees/at-random.py", `${first}`, count], {
  stdio: ["ignore", "pipe", "ignore"],
});
python.on("error", (error) => console.log(`nothing was trained: ${error.message}`));

/** What differs, or what went wrong. */
function differencesOf(forest: ForestCase): string[] {
  try {
    return forestDifferences(forest);
  } catch (error) {
    return [`${error instanceof Error ? error.stack : error}`];
  }
}

for await (const line of createInterface({ input: python.stdout })) {
  const forest: ForestCase = JSON.parse(line);
  const differences = differencesOf(forest);
  counts[differences.length === 0 ? "agrees" : "differs"]++;
  if (differences.length === 0) continue;
  const some = differences.slice(0, 5).join("\n");
  console.log(
    `\nnpm run campaign:trees -- --forest ${forest.seed}\n${forest.library} ${forest.settings}\n${some}`,
  );
}
const trained = counts.agrees + counts.differs;
console.log(
  trained === 0
    ? `nothing was compared: ${settings.python} has no xgboost and lightgbm`
    : `${trained} forests: ${counts.agrees} agree, ${counts.differs} differ`,
);
process.exitCode = counts.differs > 0 ? 1 : 0;
