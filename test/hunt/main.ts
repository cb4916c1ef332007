import { parseArgs } from "node:util";
import { type Found, Hunt } from "./hunt.js";
import { machineOf } from "./machine.js";
import { poison } from "./memory.js";

/** Hunts for programs that the engine gives other values than the reference. README.md says how to read it. */

const { values: settings } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    programs: { type: "string" },
    seed: { type: "string" },
    program: { type: "string" },
    threads: { type: "string", default: "1" },
    wide: { type: "boolean", default: false },
    large: { type: "boolean", default: false },
  },
});

const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
const seed = Number(settings.seed ?? today);
const stop = await machineOf({ threads: Number(settings.threads), wide: settings.wide });
const hunt = new Hunt({ seed, isLarge: settings.large });
poison();
hunt.coverage.watch();
const start = performance.now();

if (settings.program === undefined) await huntOn();
else {
  const found = hunt.only(Number(settings.program));
  if (found.length === 0) console.log("no disagreement");
  for (const each of found) show(each);
}
await stop();
process.exit(hunt.disagreements > 0 ? 1 : 0);

async function huntOn(): Promise<void> {
  const end = settings.programs === undefined ? undefined : Number(settings.programs);
  const until = end === undefined ? Number(settings.minutes) * 60 : Number.POSITIVE_INFINITY;
  console.log(`seed ${seed}`);
  const { isTTY } = process.stdout;
  let told = 0;
  while (seconds() < until && hunt.programs < (end ?? Number.POSITIVE_INFINITY)) {
    for (const found of hunt.more(end)) show(found);
    // The collector's finds are told to the engine between two turns.
    await new Promise((resolve) => setImmediate(resolve));
    if (seconds() - told < (isTTY ? 0.5 : 30)) continue;
    told = seconds();
    process.stdout.write(isTTY ? `\r\u001b[K${progress()}` : `${progress()}\n`);
  }
  const classes = [...hunt.found.values()].sort((one, other) => other.count - one.count);
  console.log(`\n\n${hunt.coverage}\n\n${progress()}`);
  for (const { count, signature, way, message, number, text } of classes)
    console.log(
      `${`${count}`.padStart(6)} ${signature}\n       ${way}, --program ${number}: ${message}\n       ${text}`,
    );
}

function show({ signature, way, message, text, number }: Found): void {
  console.log(`\n${signature}\n  by ${way}: ${message}`);
  console.log(
    `  npm run hunt -- --seed ${seed} --program ${number}${settings.large ? " --large" : ""}\n${text}`,
  );
}

function seconds(): number {
  return (performance.now() - start) / 1000;
}

function progress(): string {
  const { programs, refused, disagreements, endless, found } = hunt;
  const rate = Math.round(programs / seconds());
  const classes = `${disagreements} disagreements (${endless} endless) in ${found.size} classes`;
  return `${programs} programs, ${rate}/s, ${refused} refused, ${classes}`;
}
