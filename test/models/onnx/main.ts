import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { filesOf } from "./archive.js";
import { netDifference, netsIn } from "./nets.js";
import { casesIn, runCase, type Verdict } from "./suite.js";

/**
 * `npm run onnx-suite -- FOLDER…`: runs every case, and every net with a recorded output, of folders laid out as ONNX's own, of `.tar.gz`
 * files, and of folders of those. Exit code 1 where one has a wrong value, or where there is none.
 */
const [, , ...named] = process.argv;
const archivesIn = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path).filter((name) => name.endsWith(".tar.gz")) : [];
const paths = named.flatMap((path) => [
  path,
  ...archivesIn(path)
    .sort()
    .map((name) => join(path, name)),
]);
const verdicts: Verdict[] = [];
for (const path of paths) {
  const files = filesOf(path);
  for (const folder of casesIn(files)) {
    if (process.env.VERBOSE !== undefined) console.info(folder);
    verdicts.push(runCase(files, folder));
  }
  for (const net of netsIn(files)) {
    if (process.env.VERBOSE !== undefined) console.info(net);
    const reason = netDifference(files, net);
    const outcome =
      reason === undefined ? { outcome: "passed" as const } : { outcome: "wrong" as const, reason };
    verdicts.push({ name: net, operators: [], ...outcome });
  }
}
for (const { name, outcome, reason } of verdicts)
  if (reason !== undefined) console.info(`${outcome}\t${name}\t${reason}`);
const count = (outcome: string): number => verdicts.filter((each) => each.outcome === outcome).length;
const [free, bound] = [count("passed"), count("passed with constants")];
console.info(`${free} with all inputs at run time, ${bound} with inputs such as shapes bound at import`);
console.info(`passed ${free + bound} of ${verdicts.length}`);
if (verdicts.length === 0) console.error(`there are no cases in ${named.join(", ")}`);
if (count("wrong") > 0 || verdicts.length === 0) process.exitCode = 1;
