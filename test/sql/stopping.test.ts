import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { hasDuckDb } from "./duckdb.js";

/** A limit of time holds, whatever the engine is at. */
const command = fileURLToPath(new URL("../../bin/sphex.js", import.meta.url));
const folder = temporaryFolder();

/** A query of one row that DuckDB plans for longer than anybody waits: each table is the join of the one before with itself, and is planned twice. */
const doubled = [
  "WITH a0 AS NOT MATERIALIZED (SELECT 1 AS x, 1.0 AS value)",
  ...Array.from(
    { length: 40 },
    (_, at) =>
      `a${at + 1} AS NOT MATERIALIZED (SELECT p.x, p.value + q.value AS value FROM a${at} p JOIN a${at} q ON p.x = q.x)`,
  ),
].join(",\n");

test.skipIf(!hasDuckDb)(
  "a statement that DuckDB is planning is told to have taken too long",
  patient,
  async () => {
    writeFileSync(join(folder, "p.sphex"), "input t: tensor(x{})\nsum(t)\n");
    const t = { query: `${doubled}\nSELECT * FROM a40`, dimensions: { x: "x" } };
    writeFileSync(join(folder, "b.json"), JSON.stringify({ t }));
    const args = ["run", "p.sphex", "--on", "duckdb", "--bindings", "b.json", "--timeout", "500"];
    const child = spawn(process.execPath, [command, ...args], { cwd: folder });
    let told = "";
    await new Promise<void>((resolve) => {
      child.stderr.on("data", (text) => {
        told += text;
        if (told.includes("engine/stopped")) resolve();
      });
      child.on("close", () => resolve());
    });
    // The engine is at it for as long as the process lasts.
    child.kill("SIGKILL");
    expect(told).toContain("engine/stopped");
    expect(told).toContain("it took longer than it may");
  },
);
