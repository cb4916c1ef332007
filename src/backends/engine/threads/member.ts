import { intAt } from "../../../language/values/element.js";
import { type ExportedFunction, type Memory, webAssembly } from "../assembler/webassembly.js";
import { claim, controlLength, done, failed, spins, valuesOf, word } from "./control.js";
import { listen, type Message, type PortLike } from "./port.js";

/**
 * What a thread of a pool does, all its life: it waits for chunks and does them. While it waits it hears no messages, so it
 * leaves its waiting when the control words say that there is one. Call it in a worker, with the port to its parent.
 */
export function serveThread(port: PortLike): void {
  let member: PoolThread | undefined;
  listen(port, "message", (received) => {
    const message = received as Message; // pools send no other
    if (message.kind === "begin") {
      member = new PoolThread(message.memory, message.address, message.thread);
      port.postMessage("ready");
    } else member?.addKernel(message);
    member?.work();
  });
}

class PoolThread {
  private readonly control: Int32Array;
  private readonly kernels = new Map<number, ExportedFunction>();
  private messages = 1;

  constructor(
    private readonly memory: Memory,
    address: number,
    private readonly thread: number,
  ) {
    this.control = new Int32Array(memory.buffer, address, controlLength);
    this.acknowledge();
  }

  addKernel({ id, module, entry, forget }: Message & { readonly kind: "kernel" }): void {
    if (forget !== undefined) this.kernels.delete(forget);
    try {
      const instance = webAssembly && new webAssembly.Instance(module, { m: { memory: this.memory } });
      const kernel = instance?.exports[entry];
      if (kernel !== undefined) this.kernels.set(id, kernel);
    } catch {
      // Chunks of a kernel that is missing are reported as failed.
    }
    this.messages++;
    this.acknowledge();
  }

  /** Does chunks until there is a message to read. */
  work(): void {
    const { control } = this;
    for (;;) {
      const signal = Atomics.load(control, word.signal);
      if (Atomics.load(control, word.mail) > this.messages) return;
      for (let chunk = claim(control, this.thread); chunk >= 0; chunk = claim(control, this.thread))
        this.runChunk(chunk);
      if (!this.isSignalled(signal)) Atomics.wait(control, word.signal, signal);
    }
  }

  private isSignalled(signal: number): boolean {
    for (let turn = 0; turn < spins; turn++)
      if (Atomics.load(this.control, word.signal) !== signal) return true;
    return false;
  }

  private runChunk(chunk: number): void {
    const { control, thread } = this;
    let state: number = failed;
    try {
      const kernel = this.kernels.get(intAt(control, word.kernel));
      if (kernel !== undefined) {
        kernel(...valuesOf(control, chunk, intAt(control, word.scratch + thread)));
        state = done;
      }
    } catch {
      // The thread that runs the step does it again, and has the error.
    }
    Atomics.store(control, word.states + chunk, state);
    Atomics.notify(control, word.states + chunk);
  }

  private acknowledge(): void {
    Atomics.store(this.control, word.read + this.thread, this.messages);
  }
}
