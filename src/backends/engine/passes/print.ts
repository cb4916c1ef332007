import { postOrder } from "../../../language/source/depth-first.js";
import { entry } from "../../../language/values/element.js";
import { describeGather } from "../values/gather.js";
import { indexName, Names, originText } from "../values/print.js";
import { allReadsOfProducer } from "../values/producer-reads.js";
import { describeRange } from "../values/range-check.js";
import { describeRanking } from "../values/ranking.js";
import { describeScan } from "../values/scan.js";
import { describeScatter } from "../values/scatter.js";
import { describeThresholdSum } from "../values/threshold-sum.js";
import type { Branch, Buffer, LoopDraft, Producer } from "../values/value.js";
import type { Draft } from "./draft.js";

/**
 * A draft as text: each buffer behind those that it reads, with the loops that compute it, `b1[i] = exp(b0[i]) for i<3`, and
 * what each stage needs.
 */
export function printDraft(draft: Draft): string {
  const printer = new DraftPrinter(draft, numbersOf(draft));
  return printer.lines().join("\n");
}

/** Buffers that a stage needs, each behind those that it reads. */
function numbersOf(draft: Draft): ReadonlyMap<Buffer, number> {
  const targets = draft.stages.flatMap((stage) => stage.targets);
  const order = postOrder(targets, (buffer) =>
    buffer.origin.kind === "computed" ? allReadsOfProducer(entry(draft.producers, buffer)) : [],
  );
  return new Map(order.map((buffer, number) => [buffer, number]));
}

class DraftPrinter {
  private readonly names: Names;

  constructor(
    private readonly draft: Draft,
    private readonly numbers: ReadonlyMap<Buffer, number>,
  ) {
    this.names = new Names(numbers);
  }

  lines(): readonly string[] {
    const buffers = [...this.numbers.keys()].flatMap((buffer) => this.buffer(buffer));
    const needs = this.draft.stages.map(({ targets, request, problems = [] }) => {
      const names = targets.map((each) => ` ${this.names.buffer(each)}`).join("");
      if (problems.length > 0) return `refuse ${problems.map(({ code }) => code).join(" ")}`;
      return `${request === undefined ? "results" : `ask ${request.kind}`}${names}`;
    });
    return [...buffers, ...needs, ...this.names.tableLines()];
  }

  private buffer(buffer: Buffer): readonly string[] {
    const origin = originText(buffer);
    if (origin !== undefined) return [`${this.names.typed(buffer)} = ${origin}`];
    return this.producer(buffer, entry(this.draft.producers, buffer));
  }

  private producer(buffer: Buffer, producer: Producer): readonly string[] {
    const { names } = this;
    const head = names.typed(buffer);
    switch (producer.kind) {
      case "loops":
        return [head, ...producer.loops.map((loop) => `  ${this.loop(buffer, loop)}`)];
      case "contraction":
        return [
          `${head} = sparse contraction of ${names.access(producer.left)} by ${names.access(producer.right)}`,
        ];
      case "forest":
        return [`${head} = forest of ${producer.packed.roots.length} trees`];
      case "ranking": {
        const { ranking, cells, lastRank } = producer;
        const last = typeof lastRank === "object" ? names.access(lastRank) : lastRank;
        const limit = last === undefined ? "" : `, up to rank ${last}`;
        return [`${head} = ${describeRanking(ranking)} from ${names.access(cells)}${limit}`];
      }
      case "gather":
        return [`${head} = ${describeGather(producer.gather)}: ${names.moved(producer.gather)}`];
      case "scatter":
        return [`${head} = ${describeScatter(producer.scatter)}: ${names.moved(producer.scatter)}`];
      case "scan":
        return [`${head} = ${describeScan(producer.scan)}, from ${names.access(producer.scan.cells)}`];
      case "thresholdSum":
        return [`${head} = ${describeThresholdSum(producer.sum)}: ${names.summed(producer.sum)}`];
      case "range":
        return [
          `${head} = whether ${producer.buffers.map((each) => names.buffer(each)).join(" ")} are ${describeRange(producer.limit)}: ${producer.products.pairwise} products for ${producer.products.written}`,
        ];
      case "call": {
        const operands = producer.call.operands.map(({ access }) => names.access(access));
        return [`${head} = ${["reference", producer.call.node.op, ...operands].join(" ")}`];
      }
      case "branch":
        return [
          `${head} if ${names.access(producer.condition)}`,
          `  ${this.branch(buffer, producer.yes)}`,
          "else",
          `  ${this.branch(buffer, producer.no)}`,
        ];
    }
  }

  private branch(buffer: Buffer, branch: Branch): string {
    if (branch.kind === "loop") return this.loop(buffer, branch);
    return `refuse ${branch.problems.map(({ code }) => code).join(" ")}`;
  }

  private loop(buffer: Buffer, { axes, source, offset, strides, aggregator }: LoopDraft): string {
    const { cellType } = buffer;
    const target = this.names.access({ slot: buffer, cellType, offset, strides });
    const indexes = axes.map((_, axis) => indexName(axis));
    const value = [aggregator, this.names.source(source, indexes)]
      .filter((each) => each !== undefined)
      .join(" ");
    const over = axes.map(
      ({ size, isReduced }, axis) => `${indexName(axis)}<${size}${isReduced ? " reduced" : ""}`,
    );
    return [`${target} = ${value}`, over.join(", ")].filter((each) => each !== "").join(" for ");
  }
}
