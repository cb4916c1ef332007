import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Options } from "../../../src/index.js";
import { library, root } from "../library.js";
import { rowText, type Turns, timed } from "./turns.js";

/** What forest.py says: rows of 28 features, what LightGBM predicts for them, and its least times. */
interface Trained {
  readonly rows: readonly number[];
  readonly predictions: readonly number[];
  readonly batch: number;
  readonly one: number;
}

const features = 28;

/** A forest of 1,000 trees of 64 leaves, beside the predictor of LightGBM itself. */
export async function timeForest(
  python: string,
  models: NonNullable<Options["models"]>,
  turns: Turns,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sphex-bench-"));
  const file = join(folder, "forest.json");
  try {
    const trained = trainedBy(python, file);
    if (trained === undefined) return console.log(`${python} has no lightgbm, and takes no part`);
    const bytes = readFileSync(file);
    const args = Array.from({ length: features }, (_, at) => `row{c:${at}}`);
    const many = Array.from({ length: features }, (_, at) => `rows{r:(r),c:${at}}`);
    const options = { models, readBytes: () => bytes };
    const head = 'model forest = file("forest.json")';
    const start = performance.now();
    const single = library.compile(
      `${head}\ninput row: tensor(c[${features}])\nforest(${args}).prediction`,
      options,
    );
    const batch = library.compile(
      `${head}\ninput rows: tensor(c[${features}],r[1000])\ntensor(r[1000])(forest(${many}).prediction)`,
      options,
    );
    const cells = Float64Array.from(trained.rows);
    const row = library.Tensor.from(library.parseType(`tensor(c[${features}])`), cells.slice(0, features));
    const type = library.parseType(`tensor(c[${features}],r[1000])`);
    const rows = library.Tensor.from(type, cells, { axes: ["r", "c"] });
    const found = batch.run({ rows }).data;
    console.log(
      `LightGBM: import and first run ${(performance.now() - start).toFixed(0)} ms, file ${(bytes.length / 1e6).toFixed(1)} MB`,
    );
    const wrong = trained.predictions.filter((each, at) => !(Math.abs(each - Number(found[at])) <= 1e-9));
    if (wrong.length > 0) {
      console.log(`LightGBM predicts something else for ${wrong.length} rows`);
      process.exitCode = 1;
    }
    const each = Array.from({ length: 1000 }, (_, at) => {
      const own = cells.slice(at * features, (at + 1) * features);
      return library.Tensor.from(library.parseType(`tensor(c[${features}])`), own);
    });
    let next = 0;
    const own = await timed(
      [
        { name: "one row", run: async () => single.run({ row: each[next++ % each.length] ?? row }).data },
        { name: "1,000 rows, a run each", run: async () => each.map((one) => single.run({ row: one }).data) },
        { name: "1,000 rows at once", run: async () => batch.run({ rows }).data },
      ],
      turns,
    );
    for (const { name, least } of own) {
      const peer = { name: "LightGBM", least: name === "one row" ? trained.one : trained.batch };
      console.log(rowText(`LightGBM, ${name}`, [{ name: "ours", least }, peer]));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function trainedBy(python: string, file: string): Trained | undefined {
  try {
    const script = join(root, "test/bench/models/forest.py");
    return JSON.parse(
      execFileSync(python, [script, file], {
        encoding: "utf8",
        maxBuffer: 2 ** 26,
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
  } catch {
    return undefined;
  }
}
