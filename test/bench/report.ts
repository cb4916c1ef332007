import type { Growth } from "./growth.js";
import { type Machine, machineText } from "./machine.js";
import type { Repeated } from "./repeats.js";
import type { Measured } from "./rounds.js";
import type { Begun } from "./start.js";
import type { Verdict } from "./verdict.js";

/** What was measured of one workload, and how it looks. */
export interface Outcome {
  readonly name: string;
  readonly expression: string;
  readonly measured: readonly Measured[];
  readonly verdicts: readonly Verdict[];
  /** Why a contender is not among them. */
  readonly problems: readonly string[];
}

export function timeText(microseconds: number): string {
  if (microseconds < 1) return `${(microseconds * 1000).toPrecision(3)} ns`;
  if (microseconds < 1000) return `${microseconds.toPrecision(3)} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toPrecision(3)} ms`;
  return `${(microseconds / 1e6).toPrecision(3)} s`;
}

/** Numbers that a person takes in: three digits, but not in powers of ten. */
export const ratioText = (ratio: number): string =>
  ratio >= 100
    ? ratio.toFixed(0)
    : ratio >= 0.01
      ? Number(ratio.toPrecision(2)).toString()
      : ratio.toPrecision(1);

/** Lines for a terminal, each with the least time, the one in the middle and the mean: ours, then one for each peer. */
export function outcomeText({ name, measured, verdicts, problems }: Outcome): string {
  const width = Math.max(...measured.map((each) => each.name.length), 0) + 1;
  const lines = measured.map((each) => {
    const times = [each.least, each.median, each.mean].map((time) => timeText(time).padStart(10)).join("");
    return `  ${each.name.padEnd(width)}${times}${comparison(each, measured)}`;
  });
  return [
    name,
    ...lines,
    ...verdicts.map((each) => `  ${verdictText(each)}`),
    ...problems.map((each) => `  ${each}`),
  ].join("\n");
}

/** Our time by that of a peer, or by that of the other build for the same way to call it; another way of ours by the loop's. */
function comparison(each: Measured, measured: readonly Measured[]): string {
  const named = (name: string): Measured | undefined => measured.find((other) => other.name === name);
  const isOther = each.name.startsWith("ours, ");
  const [over, under] = isOther
    ? [each, named("loop")]
    : [each.name.startsWith("before") ? named(each.name.replace("before", "ours")) : named("ours"), each];
  if (over === undefined || under === undefined || over === under) return "";
  return ` ${over.name}/${under.name} ${ratioText(over.least / under.least)}`;
}

function verdictText({ of, against, expected, found, isMet }: Verdict): string {
  const [is, bound] =
    against === "time" ? [timeText(found), timeText(expected)] : [ratioText(found), `${expected}`];
  const whom = { time: "time", scripts: "best JS or wasm peer" }[against as string] ?? against;
  return `${isMet ? "met " : "MISSED"} target${of === "ours" ? "" : ` of ${of}`}: ${whom} ≤ ${bound}, is ${is}`;
}

export function growthText({ name, sizes, exponent }: Growth): string {
  const lines = sizes.map(({ cells, microseconds, first, peak }) => {
    const perCell = `${((microseconds * 1000) / cells).toPrecision(3)} ns a cell`;
    const times = [`${cells}`, timeText(microseconds), perCell, `first ${timeText(first)}`];
    const widths = [10, 10, 18, 17];
    const line = times.map((each, at) => each.padStart(widths[at] ?? 0)).join("");
    return `${line}   peak ${bytesText(peak)}`;
  });
  return [`growth of ${name}: time ~ cells^${exponent.toFixed(2)}`, ...lines].join("\n");
}

export function beginningText({ name, found, expected }: Begun): string {
  if (found === undefined) return `${name}: not measured, there is no shell`;
  const isMet = found <= expected;
  return `${name}\n  ${found.toPrecision(3)} ms, ${isMet ? "met " : "MISSED"} target: ${expected} ms`;
}

export function repeatedText({ name, runs, heap, resident }: Repeated): string {
  return `${runs} runs of ${name}: heap ${bytesText(heap)}, process ${bytesText(resident)}`;
}

/** A difference. */
const bytesText = (bytes: number): string =>
  `${bytes < 0 ? "−" : "+"}${(Math.abs(bytes) / 2 ** 20).toFixed(1)} MiB`;

/** The table for the README. */
export function markdown(outcomes: readonly Outcome[], machine: Machine): string {
  const rows = outcomes.map(({ name, measured, verdicts }) => {
    const our = measured.find((each) => each.name === "ours")?.least ?? 0;
    const peers = measured
      .filter(({ name: other }) => !/^(?:ours|before)/.test(other))
      .map((each) => `${each.name} ${ratioText(our / each.least)}`)
      .join(", ");
    const targets = verdicts.map(({ against, expected, isMet }) => {
      const bound = against === "time" ? timeText(expected) : `${against} ${expected}`;
      return `${bound}${isMet ? "" : ": missed"}`;
    });
    return `| ${name} | ${timeText(our)} | ${peers || "–"} | ${targets.join("; ") || "–"} |`;
  });
  return [
    `Measured on ${machineText(machine)}.`,
    "",
    "| workload | time | time / time of | target |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
