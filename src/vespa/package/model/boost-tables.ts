import { startingNumber, startingWhole } from "./engine-numbers.js";

/** Numbers that a feature looks up: those beyond the end are as the last. */
export interface BoostTable {
  readonly size: number;
  readonly greatest: number;
  readonly at: (index: number) => number;
}

const usualSize = 256;
const mostEntries = 1_000_000;

type Curve = (x: number, parameters: readonly number[]) => number;

// biome-ignore format: a table
const curves: Readonly<Record<string, { readonly parameters: number; readonly value: Curve }>> = {
  expdecay:  { parameters: 2, value: (x, [weight = 0, slope = 1]) => weight * Math.exp(-x / slope) },
  loggrowth: { parameters: 3, value: (x, [weight = 0, offset = 0, scale = 1]) => weight * Math.log(1 + x / scale) + offset },
  linear:    { parameters: 2, value: (x, [slope = 0, offset = 0]) => slope * x + offset },
};

const cache = new Map<string, BoostTable | undefined>();

/** `expdecay(8000,12.5)`, of 256 entries or as many as one number more says; nothing where it is no such table. */
export function boostTable(text: string): BoostTable | undefined {
  if (!cache.has(text)) cache.set(text, read(text));
  return cache.get(text);
}

function read(text: string): BoostTable | undefined {
  const [, name = "", list = ""] = /^(\w+)\(([^)]*)\)/.exec(text) ?? [];
  const curve = Object.hasOwn(curves, name) ? curves[name] : undefined;
  if (curve === undefined) return undefined;
  const parts = list.split(",");
  const numbers = parts.map(startingNumber);
  const { parameters, value } = curve;
  if (numbers.length !== parameters && numbers.length !== parameters + 1) return undefined;
  const own = parts[parameters];
  const size = own === undefined ? usualSize : startingWhole(own);
  if (size < 1 || size > mostEntries) return undefined;
  const entries = Float64Array.from({ length: size }, (_, x) => value(x, numbers));
  const at = (index: number): number => entries[Math.min(index, size - 1)] ?? 0;
  return { size, at, greatest: entries.reduce((a, b) => Math.max(a, b)) };
}
