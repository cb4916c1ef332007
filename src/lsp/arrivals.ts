import { PassThrough } from "node:stream";

/** What gives up the check of a text, since something came that should not wait for its end. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** What should not wait for a check: a key, after which it is about an old text, and what a text alone answers. */
const urgent = /"method"\s*:\s*"textDocument\/(?:did(?:Open|Change|Close)|completion|signatureHelp)"/g;

/** Turns of the event loop in which what has come is handed on, each message in one of them. */
const mostTurns = 100;

/** Turns in which an answer that was found is written. */
const turnsToWrite = 3;

/** A text whose check was given up so often is checked to the end. */
const mostInterruptions = 5;

/** What an editor has sent, and how much of it is urgent and waits. */
export class Arrivals {
  /** All that comes, in its order. */
  readonly stream = new PassThrough();
  private waiting = 0;
  private interruptions = 0;

  constructor(
    input: NodeJS.ReadableStream,
    /** What came while nobody could listen, read at once; nothing where there is none, or it cannot be known. */
    private readonly readNow: () => Uint8Array | undefined = () => undefined,
  ) {
    input.on("data", (chunk: Uint8Array) => this.take(chunk));
    input.once("end", () => this.stream.end());
    input.once("close", () => this.stream.destroy());
  }

  /** Called now and then in a check. */
  interrupt(): void {
    for (let chunk = this.readNow(); chunk !== undefined; chunk = this.readNow()) this.take(chunk);
    if (this.waiting === 0 || this.interruptions >= mostInterruptions) return;
    this.interruptions++;
    throw new Interrupted();
  }

  /** An urgent message is handed on. */
  handedOn(): void {
    this.waiting = Math.max(0, this.waiting - 1);
  }

  /** A document has changed: its text was never checked. */
  changed(): void {
    this.handedOn();
    this.interruptions = 0;
  }

  /** Waits until what is urgent is handed on, which a message that was called off never is, and the answers to it are written. */
  async allHandedOn(): Promise<void> {
    let since = 0;
    for (let turn = 0; since < turnsToWrite && turn < mostTurns; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      since = this.waiting === 0 ? since + 1 : 0;
    }
    this.waiting = 0;
  }

  private take(chunk: Uint8Array): void {
    this.waiting += Buffer.from(chunk).toString("latin1").match(urgent)?.length ?? 0;
    this.stream.write(chunk);
  }
}
