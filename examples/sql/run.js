// Makes ratings like those of films as Parquet files, and runs a program on them where they are.
// $ npm install && npm run build && node examples/sql/run.js
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile, showTensor } from "sphex";
import { duckdb, onEngine, readBindings } from "sphex/sql";

const here = (name) => new URL(name, import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "sphex-ratings-"));

try {
  const connection = await duckdb().connect();
  await connection.query(`COPY (
    SELECT 'u' || u AS user_id, m AS movie_id, 1 + (u * 7 + m * 13) % 5 AS stars
    FROM range(1000) AS users (u), range(200) AS movies (m)
    WHERE (u * 31 + m * 17) % 9 = 0
  ) TO '${join(folder, "ratings.parquet")}' (FORMAT parquet)`);
  await connection.query(`COPY (
    SELECT m AS movie_id, g AS genre, ((m + length(g)) % 4) / 100.0 AS weight
    FROM range(200) AS movies (m), (VALUES ('comedy'), ('drama'), ('western')) AS genres (g)
  ) TO '${join(folder, "features.parquet")}' (FORMAT parquet)`);
  await connection.close();

  const program = compile(readFileSync(here("taste.sphex"), "utf8"), { name: "taste.sphex" });
  const text = readFileSync(here("bindings.yaml"), "utf8").replaceAll("file: ", `file: ${folder}/`);
  const bound = program.on(onEngine(duckdb()), await readBindings({ name: "bindings.yaml", text }));

  const [liking, mean] = await bound.runAll();
  console.log(`${liking.rows} likings, the first of them:`);
  for (const { address, value } of [...liking.cells()].slice(0, 3))
    console.log(`  ${address.user} ${address.feature} ${value.toFixed(4)}`);
  console.log(`mean rating ${showTensor(mean)}`);
} finally {
  rmSync(folder, { recursive: true });
}
