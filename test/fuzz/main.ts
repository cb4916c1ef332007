import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { scriptOptions } from "../options.js";
import { type Found, Fuzz } from "./fuzz.js";

/** Tries inputs of all surfaces as long as it may. README.md says how to read it. */

const { values: settings } = scriptOptions({
  options: {
    minutes: { type: "string", default: "1" },
    inputs: { type: "string" },
    from: { type: "string", default: "0" },
    seed: { type: "string" },
    input: { type: "string" },
    only: { type: "string", default: "" },
  },
});

/** What the worker is told, and tells: memory that both see has the number of the input that is being tried. */
interface Task {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly at: Int32Array;
}

const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
const seed = Number(settings.seed ?? today);
const most = settings.inputs === undefined ? 2 ** 31 : Number(settings.inputs);

if (!isMainThread) await work(workerData as Task);
else if (settings.input !== undefined) {
  const found = await new Fuzz(seed, settings.only).attempt(Number(settings.input));
  if (found === undefined) console.log("nothing is broken");
  else show(found);
} else process.exit(await watch());

async function work({ from, to, at }: Task): Promise<void> {
  const fuzz = new Fuzz(seed, settings.only);
  for (let number = from; number < to; number++) {
    Atomics.store(at, 0, number);
    const found = await fuzz.attempt(number);
    if (found !== undefined) parentPort?.postMessage(found);
    if (number % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  parentPort?.postMessage("done");
}

/** Starts workers one after the other: one that hangs is ended, and the input told. Gives the exit code. */
async function watch(): Promise<number> {
  console.log(`seed ${seed}`);
  const start = performance.now();
  const seconds = (): number => (performance.now() - start) / 1000;
  const until = settings.inputs === undefined ? Number(settings.minutes) * 60 : Number.POSITIVE_INFINITY;
  const at = new Int32Array(new SharedArrayBuffer(4));
  let [from, faults, told] = [Number(settings.from), 0, 0];
  while (from < most && seconds() < until) {
    const worker = new Worker(new URL(import.meta.url), {
      argv: process.argv.slice(2),
      workerData: { seed, from, to: most, at } satisfies Task,
      resourceLimits: { maxOldGenerationSizeMb: 2000 },
    });
    from = await new Promise<number>((resolve) => {
      let [last, since] = [-1, seconds()];
      const end = (next: number): void => {
        clearInterval(timer);
        void worker.terminate();
        resolve(next);
      };
      const timer = setInterval(() => {
        const now = Atomics.load(at, 0);
        if (now !== last) [last, since] = [now, seconds()];
        else if (seconds() - since > 60) {
          faults++;
          console.log(`\nan input that does not end\n  npm run fuzz -- --seed ${seed} --input ${now}`);
          return end(now + 1);
        }
        if (seconds() - told > 30) {
          told = seconds();
          console.log(progress(now, seconds(), faults));
        }
        if (seconds() > until) end(now);
      }, 250);
      worker.on("message", (message: Found | "done") => {
        if (message === "done") return end(most);
        faults++;
        show(message);
      });
      worker.on("error", (error) => {
        faults++;
        const now = Atomics.load(at, 0);
        console.log(`\n${error.message}\n  npm run fuzz -- --seed ${seed} --input ${now}`);
        end(now + 1);
      });
    });
  }
  console.log(progress(Math.max(from, Atomics.load(at, 0)), seconds(), faults));
  return faults > 0 ? 1 : 0;
}

function progress(inputs: number, seconds: number, faults: number): string {
  const rate = (inputs - Number(settings.from)) / seconds;
  return `${inputs} inputs, ${Math.round(rate)}/s, ${faults} found`;
}

function show({ surface, number, input, message }: Found): void {
  const only = settings.only === "" ? "" : ` --only '${settings.only}'`;
  const text =
    typeof input === "string" ? JSON.stringify(input) : `bytes ${Buffer.from(input).toString("hex")}`;
  console.log(
    `\n${surface}: ${message}\n  ${text}\n  npm run fuzz -- --seed ${seed} --input ${number}${only}`,
  );
}
