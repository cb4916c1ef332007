import { filesOf } from "./archive.js";
import { casesIn, runCase, type Verdict } from "./suite.js";

/** `npm run onnx-suite -- FOLDER…`: runs every case of folders, or of `.tar.gz` files, laid out as ONNX's own. */
const [, , ...paths] = process.argv;
const verdicts: Verdict[] = [];
for (const path of paths) {
  const files = filesOf(path);
  for (const folder of casesIn(files)) {
    if (process.env.VERBOSE !== undefined) console.info(folder);
    verdicts.push(runCase(files, folder));
  }
}
for (const { name, outcome, reason } of verdicts)
  if (reason !== undefined) console.info(`${outcome}\t${name}\t${reason}`);
const count = (outcome: string): number => verdicts.filter((each) => each.outcome === outcome).length;
const [free, bound] = [count("passed"), count("passed with constants")];
console.info(`${free} with all inputs at run time, ${bound} with inputs such as shapes bound at import`);
console.info(`passed ${free + bound} of ${verdicts.length}`);
