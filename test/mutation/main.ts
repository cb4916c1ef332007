import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { scriptOptions } from "../options.js";
import { allMutants, chosen, engine, instrumentedTexts } from "./choose.js";
import equivalents from "./equivalents.json" with { type: "json" };
import { allLevels, Judge, type Judgement } from "./judgement.js";
import type { Mutant } from "./mutant.js";
import { Project } from "./project.js";
import { Tally } from "./tally.js";

/** Breaks the engine in many places, one at a time, and tells which mistakes nothing finds. README.md says how to read it. */

const { values: settings } = scriptOptions({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    only: { type: "string" },
    file: { type: "string", default: "*" },
    level: { type: "string" },
    list: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

/** How many of a hundred mistakes have to be found. */
const floor = 95;

const root = process.cwd();
const seed = Number(settings.seed);
const only = settings.only?.split(",").map(Number);
const end = only === undefined ? Number(settings.count) : Math.max(...only) + 1;
const isAsked = (at: number): boolean => only?.includes(at) ?? at >= Number(settings.from);
const levels = allLevels.filter((level) => settings.level === undefined || level === settings.level);

const project = new Project(root);
const all = allMutants(project);
const files = new RegExp(`^${settings.file.replace(/[.+^$(){}|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
const mutants = all.filter(({ file }) => files.test(file));
const tally = new Tally();

tellOutdated();
if (settings.list) for (const [at, mutant] of numbered()) show(at, mutant, "");
else await judgeAll();
project.close();

function* numbered(): Generator<[number, Mutant]> {
  let at = 0;
  for (const mutant of chosen(project, mutants, seed)) {
    if (at >= end) return;
    if (isAsked(at)) yield [at, mutant];
    at++;
  }
}

async function judgeAll(): Promise<void> {
  const folder = join(root, `node_modules/.cache/sphex-mutation/${process.pid}`);
  const judge = new Judge(root, folder, seed, levels);
  for (const name of await judge.prepare(instrumentedTexts(project)))
    console.log(`fails without any mistake: ${name}`);
  for (const [at, mutant] of numbered()) {
    const reason = reasonOf(mutant);
    const judgement: Judgement =
      reason === undefined ? await judge.judge(mutant, project.source(mutant.file).text) : {};
    tally.add(mutant, judgement, reason);
    if (reason === undefined && judgement.level === undefined) show(at, mutant, "survived");
    if (settings.json !== undefined)
      appendFileSync(settings.json, `${JSON.stringify({ at, ...mutant, ...judgement, reason })}\n`);
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${at + 1} of ${end}: ${tally}`);
  }
  rmSync(folder, { recursive: true });
  console.log(`\nseed ${seed}, ${all.length} mistakes that can be made\n${tally.table()}`);
  process.exitCode = tally.percentage < floor ? 1 : 0;
}

function show(at: number, { file, line, enclosing, mutator, change }: Mutant, verdict: string): void {
  const clear = process.stdout.isTTY ? "\r\u001b[K" : "";
  console.log(`${clear}${at} ${verdict} ${file}:${line} ${enclosing} (${mutator})\n    ${change}`);
}

function reasonOf({ file, enclosing, change }: Mutant): string | undefined {
  const isSame = (each: (typeof equivalents)[number]): boolean =>
    file === `${engine}/${each.file}` && enclosing === each.enclosing && change === each.change;
  return equivalents.find(isSame)?.reason;
}

/** What the table of equivalents has and nothing makes any more. */
function tellOutdated(): void {
  const possible = new Set(
    all.map(({ file, enclosing, change }) => JSON.stringify([file, enclosing, change])),
  );
  for (const { file, enclosing, change } of equivalents)
    if (!possible.has(JSON.stringify([`${engine}/${file}`, enclosing, change])))
      console.log(`no longer possible: ${file} ${enclosing} ${change}`);
}
