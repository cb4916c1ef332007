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
    shrink: { type: "string", default: "500" },
    threads: { type: "string", default: "1" },
    wide: { type: "boolean", default: false },
  },
});

const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
const seed = Number(settings.seed ?? today);
const hunt = new Hunt({ seed, mostShrunk: Number(settings.shrink) });
const stop = await machineOf({ threads: Number(settings.threads), wide: settings.wide });
poison();
hunt.coverage.watch();
const start = performance.now();
const seconds = (): number => (performance.now() - start) / 1000;

function show({ signature, way, message, text, number }: Found): void {
  console.log(`\n${signature}\n  by ${way}: ${message}`);
  console.log(`  npm run hunt -- --seed ${seed} --program ${number}\n${text}`);
}

if (settings.program !== undefined) {
  const found = hunt.look(Number(settings.program), true);
  if (found === undefined) console.log("no disagreement");
  else show(found);
} else {
  const most = settings.programs === undefined ? Number.POSITIVE_INFINITY : Number(settings.programs);
  const until = settings.programs === undefined ? Number(settings.minutes) * 60 : Number.POSITIVE_INFINITY;
  console.log(`seed ${seed}`);
  let told = 0;
  for (let number = 0; number < most && seconds() < until; number++) {
    const found = hunt.look(number);
    if (found !== undefined) show(found);
    if (number % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
    if (seconds() - told < 10) continue;
    told = seconds();
    console.log(progress());
  }
  console.log(`\n${hunt.coverage}\n\n${progress()}`);
  for (const each of [...hunt.found.values()].sort((one, other) => other.count - one.count)) {
    console.log(
      `${`${each.count}`.padStart(6)} ${each.signature} (${each.way}, --program ${each.number}): ${each.message}`,
    );
    console.log(`       ${each.text}`);
  }
}
await stop();
process.exit(hunt.disagreements > 0 ? 1 : 0);

function progress(): string {
  const { programs, refused, disagreements, endless, found } = hunt;
  const rate = Math.round(programs / seconds());
  return `${programs} programs, ${rate}/s, ${refused} refused, ${disagreements} disagreements (${endless} endless) in ${found.size} classes`;
}
