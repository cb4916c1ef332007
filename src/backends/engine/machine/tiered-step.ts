import { unfinished } from "../finishing.js";
import { interpretedStep } from "../interpreter/lowering.js";
import type { Loop, Lowering, SegmentLowering, Slot, Step } from "../loop.js";
import type { Arena } from "../memory/arena.js";
import { squeezeAxes } from "./squeeze-axes.js";

/** How the loops of the engine are compiled. */
export interface Lowerings {
  /** Tried in order; the first that covers a loop is taken. None where no code may be generated. */
  readonly compiled: readonly Lowering[];
  /** Of sums over segments with the loop that reads them. */
  readonly segments?: SegmentLowering;
}

/** Compiling pays after about so much work, and so much more for each instruction; until then a loop is interpreted. */
const compileThreshold = 100_000;
const thresholdPerInstruction = 200;

/** When a loop is compiled: before its first run, after its second, or once the code that it takes pays. */
export type Compilation = "before running" | "when repeated" | "when it pays";

/** A step of a loop: interpreted until it is compiled. */
export function lower(input: Loop, { compiled }: Lowerings, compilation: Compilation): Step {
  const loop = squeezeAxes(input);
  const tier = {
    interpret: () => interpreted(loop),
    compile: () => compile(loop, compiled),
    instructions: loop.body.length,
  };
  return compiled.length === 0 ? tier.interpret() : tiered(tier, compilation);
}

/** A step of sums over segments and the loop that alone reads them: interpreted one after the other, until both are compiled as one. */
export function lowerSegments(
  summing: Loop,
  reading: Loop,
  { compiled, segments }: Lowerings,
  compilation: Compilation,
): Step {
  const [first, second] = [squeezeAxes(summing), squeezeAxes(reading)];
  const tier = {
    interpret: () => inSequence(interpreted(first), interpreted(second)),
    compile: () =>
      segments?.(squeezeAxes(summing, 1), squeezeAxes(reading, 1)) ??
      compiledInSequence(first, second, compiled),
    instructions: first.body.length + second.body.length,
  };
  return segments === undefined ? tier.interpret() : tiered(tier, compilation);
}

/** How a step is interpreted, and compiled if it can be, and of how many instructions it is. */
interface Tier {
  readonly interpret: () => Step;
  readonly compile: () => Step | undefined;
  readonly instructions: number;
}

function tiered(tier: Tier, compilation: Compilation): Step {
  if (compilation === "before running") return tier.compile() ?? tier.interpret();
  return new TieredStep(tier, compilation === "when repeated");
}

function interpreted(loop: Loop): Step {
  if (loop.finish === undefined) return interpretedStep(loop);
  const [folding, finishing] = unfinished(loop);
  return inSequence(interpretedStep(folding), interpretedStep(finishing));
}

function compile(loop: Loop, compiled: readonly Lowering[]): Step | undefined {
  for (const lowering of compiled) {
    const step = lowering(loop);
    if (step !== undefined) return step;
  }
  if (loop.finish === undefined) return undefined;
  const [folding, finishing] = unfinished(loop);
  return compiledInSequence(folding, finishing, compiled);
}

const compiledInSequence = (first: Loop, second: Loop, compiled: readonly Lowering[]): Step =>
  inSequence(
    compile(first, compiled) ?? interpreted(first),
    compile(second, compiled) ?? interpreted(second),
  );

/** Two steps as one: the parts of the first, and then those of the second. */
function inSequence(first: Step, second: Step): Step {
  const end = first.extent;
  return {
    extent: end + second.extent,
    work: first.work + second.work,
    threads: Math.max(first.threads ?? 1, second.threads ?? 1),
    description: `${first.description}, then ${second.description}`,
    run: (from, to) => {
      if (from < end) first.run(from, Math.min(to, end));
      if (to > end) second.run(Math.max(from, end) - end, to - end);
    },
  };
}

/** A step that is interpreted until it is compiled. */
class TieredStep implements Step {
  readonly work: number;
  private step: Step;
  private workDone = 0;
  private readonly threshold: number;
  private isCompiled = false;

  constructor(
    private readonly tier: Tier,
    isRepeated: boolean,
  ) {
    const plain = tier.interpret();
    this.step = plain;
    this.work = plain.work;
    const threshold = compileThreshold + thresholdPerInstruction * tier.instructions;
    this.threshold = isRepeated ? this.workOfRun : threshold;
    if (plain.work >= threshold) this.compile();
  }

  /** Of a run, with what it takes to begin. */
  private get workOfRun(): number {
    return this.work + 1000;
  }

  get extent(): number {
    return this.step.extent;
  }

  get threads(): number {
    return this.step.threads ?? 1;
  }

  get description(): string {
    return this.step.description;
  }

  get packed(): Slot | undefined {
    return this.step.packed;
  }

  readonly run = (from: number, to: number): void => {
    this.step.run(from, to);
    // Between two runs only: compiled code may have other parts, and a run continues as it began.
    if (this.isCompiled || to < this.step.extent) return;
    this.workDone += this.workOfRun;
    if (this.workDone > this.threshold) this.compile();
  };

  private compile(): void {
    this.isCompiled = true;
    this.step = this.tier.compile() ?? this.step;
  }
}

/** The memory that engines share, since kernels are bound to it, and the lowerings that write such kernels. */
export interface Machine extends Lowerings {
  readonly arena: Arena;
}
