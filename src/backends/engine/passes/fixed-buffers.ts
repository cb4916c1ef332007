import { isVarying } from "../plan/randomness.js";
import { allReadsOfProducer } from "../values/producer-reads.js";
import type { Buffer } from "../values/value.js";
import type { Draft } from "./draft.js";

/** Which buffers hold the same cells in all runs: those that no input of a run and no random number decides. */
export class FixedBuffers {
  private readonly found = new Map<Buffer, boolean>();

  constructor(private readonly draft: Draft) {}

  /** Without recursion, since buffers may depend on each other in long chains. */
  has(buffer: Buffer): boolean {
    const open = [buffer];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const reads = this.found.has(last) ? [] : this.decisiveReads(last);
      const next = reads === undefined ? undefined : reads.find((each) => !this.found.has(each));
      if (next !== undefined) open.push(next);
      else {
        if (!this.found.has(last))
          this.found.set(last, reads?.every((each) => this.found.get(each) === true) ?? false);
        open.pop();
      }
    }
    return this.found.get(buffer) === true;
  }

  /** The buffers that decide whether one is fixed; nothing where it is not, whatever they are. */
  private decisiveReads(buffer: Buffer): readonly Buffer[] | undefined {
    const { origin } = buffer;
    switch (origin.kind) {
      case "input":
        return origin.isFixed ? [] : undefined;
      case "constant":
      case "cells":
        return [];
      case "outcome":
        return undefined;
      case "computed": {
        const { producers, storage } = this.draft;
        const producer = producers.get(buffer) ?? storage.producerOf(buffer); // a pass may have made it
        return producer.kind === "call" && isVarying(producer.call)
          ? undefined
          : allReadsOfProducer(producer);
      }
    }
  }
}
