import { append } from "../../../language/source/lists.js";
import type { CompiledModule, ExportedFunction } from "../assembler/webassembly.js";
import type { Arena, Block } from "../memory/arena.js";
import {
  claim,
  controlLength,
  done,
  failed,
  mostChunks,
  mostValues,
  placeholder,
  spins,
  valuesOf,
  word,
} from "./control.js";
import type { Division } from "./division.js";
import type { Message, WorkerLike } from "./port.js";

/** The thread that runs programs; others have the numbers after it. */
const callingThread = 1;

/** Beyond so many kernels, threads forget the oldest. */
const mostKernels = 256;

/** A chunk is a multiple of so many parts where there are many: whole groups of lanes, and lines of the cache. */
const grain = 64;
const targetChunks = 32;

/** Milliseconds that a thread is waited for at a time; what a page does instead, for its main thread may not sleep. */
const sleepMilliseconds = 10;
const spinsPerSleep = 3_000_000;

interface SentKernel {
  readonly id: number;
  /** How many messages a thread has read that knows it. */
  readonly mail: number;
}

export interface TeamMember {
  readonly worker: WorkerLike;
  /** Its number, from 2 on. */
  readonly thread: number;
}

/** Memory that abandoned threads may still access: it is never freed. */
const pinnedBlocks: Block[] = [];

/** Threads that have begun, and the one that runs programs, which gives them work and does its share. */
export class Team {
  private readonly control: Int32Array;
  private readonly kernels = new Map<CompiledModule, SentKernel>();
  private readonly scratch = new Map<number, Block>();
  private readonly canSleep: boolean;
  private ids = 0;
  private mail = 1;
  private readonly failures: unknown[] = [];

  /** The control words are in the block; the members have begun. */
  constructor(
    private readonly arena: Arena,
    block: Block,
    private members: readonly TeamMember[],
  ) {
    pinnedBlocks.push(block);
    this.control = block.cells as Int32Array; // of cell type int
    this.canSleep = canSleep(this.control);
  }

  /** How many threads there are, with the one that runs programs. */
  get size(): number {
    return this.members.length + 1;
  }

  /** A worker is gone. */
  remove(worker: WorkerLike): void {
    this.members = this.members.filter((each) => each.worker !== worker);
  }

  /** Ends all threads. */
  async stop(): Promise<void> {
    const { members } = this;
    this.members = [];
    await Promise.all(members.map(({ worker }) => worker.terminate()));
    for (const block of this.scratch.values()) this.arena.dispose(block);
    this.scratch.clear();
  }

  /** Whether all threads are there and have the kernel; it is sent to those that lack it. */
  hasKernel(division: Division): boolean {
    if (this.members.length === 0) return false;
    const kernel = this.kernels.get(division.module) ?? this.sendKernel(division);
    return this.members.every(({ thread }) => Atomics.load(this.control, word.read + thread) >= kernel.mail);
  }

  /**
   * Does parts of a step whose kernel all know, and which was prepared; false where that cannot be divided. `timeout` is
   * how many milliseconds a chunk of another thread may take at the most: a thread that takes longer is taken for dead.
   */
  run(division: Division, from: number, to: number, timeout: number): boolean {
    const { control } = this;
    const { call, module } = division;
    const kernel = this.kernels.get(module);
    const values = division.values(placeholder.from, placeholder.to, placeholder.scratch);
    const size = chunkSize(to - from);
    const chunks = Math.ceil((to - from) / size);
    if (chunks < 2 || kernel === undefined || values.length > mostValues) return false;
    if (!this.hasScratch(division.scratchBytes)) return false;
    control[word.kernel] = kernel.id;
    control[word.from] = from;
    control[word.to] = to;
    control[word.size] = size;
    control[word.count] = values.length;
    control.set(values, word.values);
    for (let chunk = 0; chunk < chunks; chunk++) Atomics.store(control, word.states + chunk, 0);
    this.signal();
    for (let chunk = claim(control, callingThread); chunk >= 0; chunk = claim(control, callingThread))
      this.runChunk(chunk, call);
    for (let chunk = 0; chunk < chunks; chunk++) {
      const state = this.awaitChunk(chunk, timeout);
      if (state === done) continue;
      this.runChunk(chunk, call);
      if (state !== failed) this.abandon();
    }
    const [failure] = this.failures.splice(0);
    if (failure !== undefined) throw failure;
    return true;
  }

  private runChunk(chunk: number, call: ExportedFunction): void {
    const { control } = this;
    try {
      call(...valuesOf(control, chunk, this.scratch.get(callingThread)?.address ?? 0));
    } catch (error) {
      // Thrown when no thread works on the job any more.
      this.failures.push(error);
    }
    Atomics.store(control, word.states + chunk, done);
  }

  /** The state of a chunk when it is no longer claimed, or when the time is over. */
  private awaitChunk(chunk: number, timeout: number): number {
    const { control } = this;
    const at = word.states + chunk;
    for (let waited = -1; waited * sleepMilliseconds < timeout; waited++) {
      // The first turn is short: mostly, the others are nearly done.
      const turns = waited < 0 ? spins : this.canSleep ? 0 : spinsPerSleep;
      let state = Atomics.load(control, at);
      for (let turn = 0; turn < turns && state > 0; turn++) state = Atomics.load(control, at);
      if (state < 0) return state;
      if (turns === 0) Atomics.wait(control, at, state, sleepMilliseconds);
    }
    return Atomics.load(control, at);
  }

  /** Gives all threads up: one of them died in the middle of something, or might wake and write to what it had. */
  private abandon(): void {
    append(pinnedBlocks, this.scratch.values());
    this.scratch.clear();
    for (const { worker } of this.members) worker.terminate();
    this.members = [];
  }

  private sendKernel({ module, entry }: Division): SentKernel {
    const kernel = { id: this.ids++, mail: ++this.mail };
    const [oldest] = this.kernels.size >= mostKernels ? this.kernels : [];
    if (oldest !== undefined) this.kernels.delete(oldest[0]);
    this.kernels.set(module, kernel);
    const message: Message = { kind: "kernel", id: kernel.id, module, entry, forget: oldest?.[1].id };
    for (const { worker } of this.members) worker.postMessage(message);
    Atomics.store(this.control, word.mail, this.mail);
    this.signal();
    return kernel;
  }

  private signal(): void {
    Atomics.add(this.control, word.signal, 1);
    Atomics.notify(this.control, word.signal);
  }

  /** Makes sure that each thread has so much scratch memory. */
  private hasScratch(bytes: number): boolean {
    if (bytes === 0) return true;
    for (const thread of [callingThread, ...this.members.map((each) => each.thread)]) {
      const current = this.scratch.get(thread);
      if (current !== undefined && current.length >= bytes) continue;
      const block = this.arena.allocate("int8", bytes);
      if (block === undefined) return false;
      (block.cells as Int8Array).fill(0); // of cell type int8
      if (current !== undefined) this.arena.dispose(current);
      this.scratch.set(thread, block);
      this.control[word.scratch + thread] = block.address;
    }
    return true;
  }
}

function chunkSize(parts: number): number {
  const size = Math.ceil(parts / (parts <= mostChunks ? mostChunks : targetChunks));
  return size < grain ? size : Math.ceil(size / grain) * grain;
}

/** Room for control words in which no chunk is free; nothing where memory is at its end. */
export function controlBlock(arena: Arena): Block | undefined {
  const block = arena.allocate("int", controlLength);
  if (block === undefined) return undefined;
  const control = block.cells as Int32Array; // of cell type int
  control.fill(0);
  control.fill(done, word.states, word.states + mostChunks);
  control[word.mail] = 1;
  return block;
}

/** Whether this thread may sleep: those of pages may not. */
function canSleep(control: Int32Array): boolean {
  try {
    Atomics.wait(control, word.signal, Atomics.load(control, word.signal) + 1, 0);
    return true;
  } catch {
    return false;
  }
}
