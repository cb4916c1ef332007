import { postOrder } from "../../../language/source/depth-first.js";
import { isVarying } from "../plan/runs/randomness.js";
import { allReadsOfProducer } from "../values/producer-reads.js";
import type { Buffer } from "../values/value.js";
import type { Draft } from "./draft.js";

/** Which buffers hold the same cells in all runs: those that no input of a run and no random number decides. */
export class FixedBuffers {
  private readonly found = new Map<Buffer, boolean>();

  constructor(private readonly draft: Draft) {}

  has(buffer: Buffer): boolean {
    if (!this.found.has(buffer)) this.decide(buffer);
    return this.found.get(buffer) === true;
  }

  private decide(buffer: Buffer): void {
    const reads = new Map<Buffer, readonly Buffer[]>();
    const readsOf = (each: Buffer): readonly Buffer[] => {
      const decisive = this.found.has(each) ? undefined : this.decisiveReads(each);
      if (decisive !== undefined) reads.set(each, decisive);
      return decisive ?? [];
    };
    for (const each of postOrder([buffer], readsOf))
      if (!this.found.has(each))
        this.found.set(each, reads.get(each)?.every((read) => this.found.get(read) === true) ?? false);
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
