import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { scriptOptions } from "../options.js";
import { Findings } from "./findings.js";
import { type Found, Hunt, type Report } from "./hunt.js";
import { machineOf } from "./machine.js";
import { poison } from "./memory.js";

/**
 * Hunts for programs that the engine gives other values than the reference. README.md says how to read it. The process that
 * was started reports, and others hunt: each of them has a share of the programs.
 */

const { values: settings } = scriptOptions({
  options: {
    minutes: { type: "string", default: "1" },
    programs: { type: "string" },
    seed: { type: "string" },
    program: { type: "string" },
    jobs: { type: "string" },
    threads: { type: "string", default: "1" },
    wide: { type: "boolean", default: false },
    large: { type: "boolean", default: false },
    gradients: { type: "boolean", default: false },
    brief: { type: "boolean", default: false },
    /** Of a process that hunts: its number. */
    share: { type: "string" },
  },
});

/** What starts this hunt: its bundle is called after that. */
const script = basename(fileURLToPath(import.meta.url), ".mjs").replace("-", ":");
const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
const seed = Number(settings.seed ?? today);
const jobs = Number(
  settings.jobs ?? Math.max(1, Math.floor(availableParallelism() / Number(settings.threads))),
);
const end = settings.programs === undefined ? Number.POSITIVE_INFINITY : Number(settings.programs);
const mostSeconds =
  settings.programs === undefined ? Number(settings.minutes) * 60 : Number.POSITIVE_INFINITY;
const start = performance.now();
const seconds = (): number => (performance.now() - start) / 1000;

if (settings.program !== undefined) await huntOne(Number(settings.program));
else if (settings.share !== undefined) await huntShare(Number(settings.share));
else await huntTogether();

async function hunting(index: number): Promise<{ hunt: Hunt; stop: () => Promise<void> }> {
  const stop = await machineOf({ threads: Number(settings.threads), wide: settings.wide });
  const hunt = new Hunt({
    seed,
    isLarge: settings.large,
    hasGradients: settings.gradients,
    share: { index, count: jobs },
  });
  poison();
  hunt.coverage.watch();
  return { hunt, stop };
}

async function huntOne(number: number): Promise<never> {
  const { hunt, stop } = await hunting(0);
  const found = hunt.only(number);
  if (found.length === 0) console.log("no disagreement");
  for (const each of found) show(each);
  await stop();
  process.exit(found.length > 0 ? 1 : 0);
}

/** Hunts in a process of its own, which reports to the one that started it. */
async function huntShare(index: number): Promise<never> {
  process.on("disconnect", () => process.exit(1));
  const { hunt, stop } = await hunting(index);
  const report = (): Promise<void> =>
    new Promise((resolve) => process.send?.(hunt.report, undefined, undefined, () => resolve()));
  let [reported, found] = [0, 0];
  while (!hunt.isOver(end) && seconds() < mostSeconds) {
    found += hunt.more(end).length;
    // The collector's finds are told to the engine between two turns.
    await new Promise((resolve) => setImmediate(resolve));
    if (found === 0 && seconds() - reported < 1) continue;
    await report();
    [reported, found] = [seconds(), 0];
  }
  await report();
  await stop();
  process.exit(0);
}

/** Starts the processes that hunt, and shows what they come to. */
async function huntTogether(): Promise<never> {
  console.log(`hunt with seed ${seed}, by ${jobs} ${jobs === 1 ? "process" : "processes"}`);
  const findings = new Findings();
  let told = 0;
  const take = (index: number, report: Report): void => {
    for (const found of findings.take(index, report)) show(found);
    const { isTTY } = process.stdout;
    if (seconds() - told < (isTTY ? 0.5 : 30) || settings.brief) return;
    told = seconds();
    process.stdout.write(`${isTTY ? "\r\u001b[K" : ""}${findings.summary(told)}${isTTY ? "" : "\n"}`);
  };
  let isInterrupted = false;
  const failures = await Promise.all(
    Array.from({ length: jobs }, async (_, index) => {
      const hunter = fork(
        fileURLToPath(import.meta.url),
        [...process.argv.slice(2), "--jobs", `${jobs}`, "--share", `${index}`],
        {
          // Nearly all that a program allocates is dead when it is over.
          execArgv: [...process.execArgv, "--max-semi-space-size=64"],
        },
      );
      hunter.on("message", (report: Report) => take(index, report));
      // What was found until then is shown all the same.
      for (const signal of ["SIGINT", "SIGTERM"] as const)
        process.on(signal, () => {
          isInterrupted = true;
          hunter.kill();
        });
      const [code, signal] = (await once(hunter, "exit")) as [number | null, string | null]; // as the event has it
      return code === 0 || isInterrupted ? [] : [`a process that hunts ended with ${code ?? signal}`];
    }),
  );
  if (!settings.brief) console.log(`\n\n${findings.coverage}\n`);
  console.log(findings.summary(seconds()));
  const { classes } = findings;
  for (const { count, signature, way, message, number, text } of classes)
    console.log(
      `${`${count}`.padStart(6)} ${signature}\n       ${way}, --program ${number}: ${message}\n       ${text}`,
    );
  for (const failure of failures.flat()) console.log(failure);
  process.exit(classes.length > 0 || failures.flat().length > 0 ? 1 : 0);
}

function show({ signature, way, message, text, number }: Found): void {
  console.log(`\n${signature}\n  by ${way}: ${message}`);
  console.log(
    `  npm run ${script} -- --seed ${seed} --program ${number}${settings.large ? " --large" : ""}${settings.gradients ? " --gradients" : ""}\n${text}`,
  );
}
