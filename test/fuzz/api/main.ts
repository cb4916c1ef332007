import { scriptOptions } from "../../options.js";
import { aliases, attempt } from "./api.js";

/** Calls every public function with values at random, as often as it may: `npm run fuzz:api -- --calls 1000000`. */

const { values: settings } = scriptOptions({
  options: {
    calls: { type: "string", default: "100000" },
    seed: { type: "string", default: `${Math.floor(Date.now() / 86_400_000)}` },
    call: { type: "string" },
  },
});
const seed = Number(settings.seed);
const first = Number(settings.call ?? 0);
const last = settings.call === undefined ? Number(settings.calls) : first + 1;

console.log(`seed ${seed}`);
const told = new Map<string, number>();
process.on("unhandledRejection", (error) => tell("a rejection that nobody hears of", `${error}`, -1));
for (let number = first; number < last; number++) {
  const fault = await attempt(seed, number);
  if (fault !== undefined) tell(fault.name, fault.message, fault.number);
  if (number % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
}
for (const each of aliases()) tell("shared memory", each, -1);
console.log(`${last - first} calls, ${told.size} faults`);
process.exitCode = told.size > 0 ? 1 : 0;

/** Tells a fault once. */
function tell(name: string, message: string, number: number): void {
  const key = `${name}: ${message.replace(/\d+/g, "0").slice(0, 160)}`;
  const count = (told.get(key) ?? 0) + 1;
  told.set(key, count);
  if (count === 1) console.log(`${name}: ${message}\n  npm run fuzz:api -- --seed ${seed} --call ${number}`);
}
