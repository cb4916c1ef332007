import type { Plan } from "../plan/plan.js";
import type { Buffer } from "../values/value.js";
import { blocksOf, readsOf } from "./numbering.js";
import { buffersAsked } from "./requests.js";
import type { Block, Step } from "./step.js";

/**
 * Which buffers may lie in the same memory: those of the same type and length whose lives do not overlap. A buffer lives
 * from the step that writes it to the last that reads it. What is read in other runs or stages, or leaves as a result,
 * has memory of its own; and so has what a branch or a group computes, since not every run does.
 */
export function sharedMemory(plan: Plan): ReadonlyMap<Buffer, Buffer> {
  const stage = plan.stages.at(-1);
  if (stage === undefined || plan.stages.length > 1 || stage.request !== undefined) return new Map();
  const lives = livesIn(stage, outliving(plan));
  const [starts, ends] = [byStep(lives, "start"), byStep(lives, "end")];
  const free = new Map<string, Buffer[]>();
  const memory = new Map<Buffer, Buffer>();
  for (const at of stage.steps.keys()) {
    for (const buffer of starts.get(at) ?? []) {
      const owner = free.get(kindOf(buffer))?.pop();
      if (owner !== undefined) memory.set(buffer, owner);
    }
    // What the step reads for the last time is free behind it, not for what it writes.
    for (const buffer of ends.get(at) ?? [])
      listUnder(free, kindOf(buffer)).push(memory.get(buffer) ?? buffer);
  }
  return memory;
}

const kindOf = ({ cellType, length }: Buffer): string => `${cellType} ${length}`;

/** The buffers whose lives start, or end, at each step. */
function byStep(lives: ReadonlyMap<Buffer, Life>, which: keyof Life): ReadonlyMap<number, readonly Buffer[]> {
  const steps = new Map<number, Buffer[]>();
  for (const [buffer, life] of lives) listUnder(steps, life[which]).push(buffer);
  return steps;
}

function listUnder<K>(lists: Map<K, Buffer[]>, key: K): Buffer[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

interface Life {
  readonly start: number;
  readonly end: number;
}

/** The lives of buffers that are computed, and read, within a block in every run. */
function livesIn({ steps }: Block, without: ReadonlySet<Buffer>): ReadonlyMap<Buffer, Life> {
  const lives = new Map<Buffer, Life>();
  for (const [at, step] of steps.entries()) {
    for (const buffer of allReadsOf(step)) {
      const life = lives.get(buffer);
      if (life !== undefined) lives.set(buffer, { ...life, end: at });
    }
    if (!("writes" in step) || step.isOnce || without.has(step.writes)) continue;
    lives.set(step.writes, { start: lives.get(step.writes)?.start ?? at, end: at });
  }
  return lives;
}

/** What a step reads, in whichever block within it. */
function allReadsOf(step: Step): readonly Buffer[] {
  return [...readsOf(step), ...blocksOf(step).flatMap((block) => block.steps.flatMap(allReadsOf))];
}

/** Buffers that are read after the last step. */
function outliving({ stages, results }: Plan): ReadonlySet<Buffer> {
  const asked = stages.flatMap(({ request }) => (request === undefined ? [] : buffersAsked(request)));
  return new Set([...asked, ...(results ?? []).map(({ value }) => value.source.access.slot)]);
}

/** Sees that no step reads memory in which another buffer lies by then. @throws Error where one does. */
export function verifyMemory({ stages }: Plan, memory: ReadonlyMap<Buffer, Buffer>): void {
  const holders = new Map<Buffer, Buffer>();
  const memoryOf = (buffer: Buffer): Buffer => memory.get(buffer) ?? buffer;
  for (const step of stages.at(-1)?.steps ?? []) {
    for (const buffer of allReadsOf(step)) {
      const holder = holders.get(memoryOf(buffer));
      if (holder !== undefined && holder !== buffer)
        throw new Error("the plan is not sound: memory is used too early");
    }
    if ("writes" in step) holders.set(memoryOf(step.writes), step.writes);
  }
}
