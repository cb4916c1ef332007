import type { CompiledModule, Memory } from "../assembler/webassembly.js";

/** One end of a channel between threads: a worker of Node or of a page, or what such a worker has for its parent. */
export interface PortLike {
  postMessage(message: unknown): void;
  /** As in Node: listeners get the message. */
  on?(type: string, listener: (value: unknown) => void): unknown;
  /** As on pages: listeners get an event that has the message as its `data`. */
  addEventListener?(type: string, listener: (event: unknown) => void): unknown;
}

/** A thread, as its parent has it. */
export interface WorkerLike extends PortLike {
  terminate(): unknown;
  /** Lets a process end although the thread is there. */
  unref?(): unknown;
}

/** What a pool sends to its threads. */
export type Message =
  | {
      readonly kind: "begin";
      readonly memory: Memory;
      /** Where the control words are, in bytes. */
      readonly address: number;
      readonly thread: number;
    }
  | {
      readonly kind: "kernel";
      readonly id: number;
      readonly module: CompiledModule;
      readonly entry: string;
      /** A kernel that will not be used again. */
      readonly forget: number | undefined;
    };

/** Listens to one kind of event: Node's ports have both ways, and only `on` is fully theirs. */
export function listen(port: PortLike, type: string, listener: (message: unknown) => void): void {
  if (port.on !== undefined) port.on(type, listener);
  else port.addEventListener?.(type, (event) => listener((event as { readonly data?: unknown }).data)); // an event
}
