import { append } from "../../../language/source/lists.js";
import { numberText } from "../../../language/values/text.js";
import { showLayout } from "../layouts/input-layout.js";
import type { Instruction } from "../loop.js";
import type { Plan } from "../plan/plan.js";
import type { Request } from "../plan/planned.js";
import { describeGather } from "../values/gather.js";
import { indexName, Names, originText } from "../values/print.js";
import { describeRange } from "../values/range-check.js";
import { describeRanking } from "../values/ranking.js";
import { describeScan } from "../values/scan.js";
import { describeScatter } from "../values/scatter.js";
import { describeThresholdSum } from "../values/threshold-sum.js";
import type { Buffer, BufferAccess } from "../values/value.js";
import { numbered } from "./numbering.js";
import type { BufferLoop, PlanStep, SharedMemory, StepBlock, StepGroup } from "./step.js";

/**
 * A plan as text: a line for each buffer that a step computes, with the loop, its instructions, and where they read and
 * write. `b2[3i+j]` is the cell of buffer 2 at index i of the first axis and j of the second; `t0[i]` is an entry of a table.
 * `b4 reusing b1` lies in the memory of buffer 1, which nothing reads any more.
 */
export function printPlan(plan: Plan): string {
  return new PlanPrinter(numbered(plan), plan.memory).plan(plan);
}

class PlanPrinter {
  private readonly printed = new Set<StepGroup>();
  private readonly names: Names;

  constructor(
    private readonly numbers: ReadonlyMap<Buffer, number>,
    private readonly memory: SharedMemory,
  ) {
    this.names = new Names(numbers);
  }

  plan({ stages, results, inputs }: Plan): string {
    const layouts = [...inputs.keys()].sort().map((name) => inputs.get(name));
    const lines = layouts.flatMap((layout) => (layout === undefined ? [] : [`input ${showLayout(layout)}`]));
    for (const buffer of this.numbers.keys()) {
      const origin = originText(buffer);
      if (origin !== undefined) lines.push(`${this.typed(buffer)} = ${origin}`);
    }
    for (const [at, stage] of stages.entries()) {
      if (stages.length > 1) lines.push(`stage ${at + 1}`);
      append(lines, this.block(stage));
      if (stage.request !== undefined) lines.push(this.request(stage.request));
    }
    for (const { value, type } of results ?? []) {
      const { access } = value.source;
      lines.push(`result ${type} = ${this.access(access)}`);
    }
    return lines.concat(this.names.tableLines()).join("\n");
  }

  private name(buffer: Buffer): string {
    return this.names.buffer(buffer);
  }

  private typed(buffer: Buffer): string {
    const earlier = this.memory.get(buffer);
    return `${this.names.typed(buffer)}${earlier === undefined ? "" : ` reusing ${this.name(earlier)}`}`;
  }

  private access(access: BufferAccess): string {
    return this.names.access(access);
  }

  private block({ steps }: StepBlock): string[] {
    return steps.flatMap((step) => this.step(step));
  }

  private step(step: PlanStep): string[] {
    const once = "writes" in step && step.isOnce ? " once" : "";
    switch (step.kind) {
      case "loop": {
        const segmented = step.isSegmented === true ? " segmented" : once;
        const kind = step.lasting === undefined ? segmented : " lasting";
        return this.loop(step.loop, `${this.typed(step.writes)} =${kind} `);
      }
      case "contraction": {
        const { products } = step.contraction;
        const pair = `${this.access(step.left)} by ${this.access(step.right)}`;
        return [`${this.typed(step.writes)} =${once} sparse contraction of ${pair}: ${products} products`];
      }
      case "forest": {
        const terms = step.packed.roots.length;
        const numbers = step.numbers.map(({ access }) => this.access(access)).join(" ");
        return [`${this.typed(step.writes)} =${once} forest of ${terms} trees on ${numbers}`];
      }
      case "ranking": {
        const { lastRank } = step;
        const what = `${describeRanking(step.ranking)} from ${this.access(step.cells)}`;
        const last = typeof lastRank === "object" ? this.access(lastRank) : lastRank;
        return [
          `${this.typed(step.writes)} =${once} ${what}${last === undefined ? "" : `, up to rank ${last}`}`,
        ];
      }
      case "gather":
        return [
          `${this.typed(step.writes)} =${once} ${describeGather(step.gather)}: ${this.names.moved(step.gather)}`,
        ];
      case "scatter":
        return [
          `${this.typed(step.writes)} =${once} ${describeScatter(step.scatter)}: ${this.names.moved(step.scatter)}`,
        ];
      case "scan":
        return [
          `${this.typed(step.writes)} =${once} ${describeScan(step.scan)}, from ${this.access(step.scan.cells)}`,
        ];
      case "thresholdSum":
        return [
          `${this.typed(step.writes)} =${once} ${describeThresholdSum(step.sum)}: ${this.names.summed(step.sum)}`,
        ];
      case "range": {
        const buffers = step.buffers.map((buffer) => this.name(buffer)).join(" ");
        return [
          `${this.typed(step.writes)} =${once} whether ${buffers} are ${describeRange(step.limit)}: ${step.products.pairwise} products for ${step.products.written}`,
        ];
      }
      case "call": {
        const operands = step.call.operands.map(({ access }) => this.access(access));
        const outer = step.call.outer.length === 0 ? "" : ` at each of ${step.call.outer.join("×")}`;
        const call = ["reference", step.call.node.op, ...operands].join(" ");
        return [`${this.typed(step.writes)} =${once} ${call}${outer}`];
      }
      case "branch":
        return [
          `${this.typed(step.writes)} =${once} if ${this.access(step.condition)}`,
          ...indented(this.block(step.yes)),
          "else",
          ...indented(this.block(step.no)),
        ];
      case "demand":
        return this.group(step.group);
      case "refuse":
        return [`refuse ${step.problems.map(({ code }) => code).join(" ")}`];
    }
  }

  private group(group: StepGroup): string[] {
    if (this.printed.has(group)) return [`group ${group.number}`];
    this.printed.add(group);
    return [`group ${group.number}, if this run has not computed it`, ...indented(this.block(group))];
  }

  private loop({ axes, sources, body, target, aggregator, finish }: BufferLoop, head: string): string[] {
    const indexes = axes.map(
      ({ size, isReduced }, axis) => `${indexName(axis)}<${size}${isReduced ? " reduced" : ""}`,
    );
    const over = indexes.length === 0 ? "one cell" : indexes.join(", ");
    const instructions = body.map((each, at) => `r${at} = ${this.instruction(each, sources)}`);
    const fold = aggregator === undefined ? "" : `${aggregator} `;
    const into = this.access(target);
    if (finish === undefined) instructions.push(`${into} = ${fold}r${body.length - 1}`);
    else {
      instructions.push(`s0 = ${target.cellType} ${fold}r${body.length - 1}`);
      for (const [at, each] of finish.entries())
        instructions.push(`s${at + 1} = ${this.instruction(each, sources, "s")}`);
      instructions.push(`${into} = s${finish.length}`);
    }
    return [`${head}loop ${over}`, ...indented(instructions)];
  }

  private instruction(instruction: Instruction, sources: readonly BufferAccess[], register = "r"): string {
    switch (instruction.op) {
      case "read": {
        const source = sources[instruction.source];
        return source === undefined ? "nothing" : this.access(source);
      }
      case "constant":
        return numberText(instruction.value, "double");
      case "index":
        return indexName(instruction.axis);
      case "apply":
        return [instruction.function, ...instruction.arguments.map((at) => `${register}${at}`)].join(" ");
      case "select":
        return [instruction.condition, "?", instruction.yes, ":", instruction.no]
          .map((each) => (typeof each === "number" ? `${register}${each}` : each))
          .join(" ");
      case "store":
        return `${instruction.cellType} ${register}${instruction.value}`;
    }
  }

  private request(request: Request): string {
    switch (request.kind) {
      case "truth":
        return `ask whether ${this.access(request.access)} is not 0`;
      case "label":
        return `ask the label of ${this.access(request.access)}`;
      case "rows":
        return `ask which of ${request.rows} cells from ${this.access(request.access)} on are not 0`;
      case "tensor": {
        const operands = request.call.operands.map(({ access }) => this.access(access));
        return `ask ${["reference", request.node.op, ...operands].join(" ")}`;
      }
    }
  }
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
