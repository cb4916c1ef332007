import { caseText, signatureOf } from "./case.js";
import { Choice } from "./choice.js";
import { type Counts, Coverage } from "./coverage.js";
import { type Disagreement, disagreementOf } from "./disagreement.js";
import { withGradients } from "./gradients.js";
import { inTime } from "./in-time.js";
import { allowBlocks } from "./memory.js";
import { type Program, programOf, sourceOf } from "./program.js";
import { Reference } from "./reference.js";
import { Subject } from "./runs.js";
import { shrinking } from "./shrink.js";
import type { Way } from "./way.js";
import { ways } from "./ways.js";

/** Disagreements of one kind. */
export interface Found {
  readonly signature: string;
  readonly way: string;
  readonly message: string;
  readonly text: string;
  /** The number of the program. */
  readonly number: number;
  readonly count: number;
}

export interface HuntOptions {
  readonly seed: number;
  /** Whether all programs have large tensors. */
  readonly isLarge?: boolean;
  /** Whether programs have derivatives of their results, too. */
  readonly hasGradients?: boolean;
  /** All ways, unless there are others. */
  readonly ways?: readonly Way[];
  /** Which blocks of programs are hunted here, where several processes share them: each `count`-th from this one. */
  readonly share?: Share;
}

export interface Share {
  readonly index: number;
  readonly count: number;
}

/** What a hunt has come to. */
export interface Report {
  readonly programs: number;
  /** Programs that are none. */
  readonly refused: number;
  /** Programs that take too many steps to be run in all ways. */
  readonly long: number;
  readonly disagreements: number;
  /** Those that do not end. */
  readonly endless: number;
  readonly found: readonly Found[];
  readonly coverage: Counts;
}

/** A program that was caught, as it was generated. */
interface Caught {
  readonly number: number;
  readonly program: Program;
  readonly way: Way;
  readonly disagreement: Disagreement;
}

/** Programs are looked at so many at a time, and all of them are done in milliseconds, unless one does not end. */
const [together, mostMilliseconds] = [16, 60_000];
/** How often a program is made smaller; what does not end takes long to try, and is tried for some programs only. */
const [mostTries, mostEndlessTries, mostEndless] = [1500, 200, 10];
/** More blocks of memory than a program of the hunt's size ever takes; and fewer, for what does not end. */
const [manyBlocks, fewBlocks] = [40_000, 1000];

/** Looks at one program after the other. */
export class Hunt {
  programs = 0;
  refused = 0;
  long = 0;
  disagreements = 0;
  endless = 0;
  readonly found = new Map<string, Found>();
  readonly coverage = new Coverage();
  /** The block of programs that is looked at, and the program in it that is next. */
  private block: number;
  private next: number;
  private caught: Caught[] = [];
  /** What came of programs that the checker broke at. */
  private crashed: Found[] = [];
  private readonly ways: readonly Way[];
  private readonly share: Share;

  constructor(private readonly options: HuntOptions) {
    this.ways = options.ways ?? ways;
    this.share = options.share ?? { index: 0, count: 1 };
    this.block = this.share.index;
    this.next = this.block * together;
  }

  /** Whether all programs up to this number have been looked at. */
  isOver(end: number): boolean {
    return this.next >= end;
  }

  get report(): Report {
    const { programs, refused, long, disagreements, endless } = this;
    const found = [...this.found.values()];
    return { programs, refused, long, disagreements, endless, found, coverage: this.coverage.toJSON() };
  }

  /** Looks at the rest of a block of programs, up to this number; what is new about them. */
  more(end = Number.POSITIVE_INFINITY): readonly Found[] {
    const last = (this.block + 1) * together;
    const found: Found[] = [];
    while (this.next < Math.min(end, last)) {
      const isDone = inTime(() => {
        while (this.next < Math.min(end, last)) this.look(this.next++);
      }, mostMilliseconds);
      // Where others keep the machine busy, time is over soon: what hangs does so by itself too.
      if (!isDone && this.hangs(this.next - 1)) {
        this.disagreements++;
        found.push(this.add({ ...hanging, number: this.next - 1 }, ""));
      }
      found.push(...this.tellAll());
    }
    if (this.next === last) {
      this.block += this.share.count;
      this.next = this.block * together;
    }
    return found.filter(isNew);
  }

  /** Looks at the program of a number in all ways. */
  only(number: number): readonly Found[] {
    this.look(number, true);
    return this.tellAll();
  }

  /** Whether a program takes too much of the processor's time, however long it waits for that. */
  private hangs(number: number): boolean {
    for (let milliseconds = mostMilliseconds; ; milliseconds *= 2) {
      const start = process.cpuUsage();
      if (inTime(() => this.look(number), milliseconds)) return false;
      const { user, system } = process.cpuUsage(start);
      if (user + system > (1000 * mostMilliseconds) / 2) return true;
    }
  }

  /** Runs a program in the ways whose turn it is. */
  private look(number: number, isThorough = false): void {
    this.programs++;
    const seed = seedOf(this.options.seed, number);
    const program = this.program(seed);
    const subject = this.subject(number, program);
    if (subject === undefined) return;
    const choice = new Choice(seed ^ 0x5bd1e995);
    this.coverage.addProgram(subject);
    allowBlocks(manyBlocks);
    const reference = new Reference(subject);
    if (reference.takesLong([0, 1, 2])) {
      this.long++;
      return;
    }
    if (choice.below(4) === 0) this.coverage.addLaws(subject);
    for (const way of this.ways) {
      if (choice.below(way.oneOf) > 0 && !isThorough) continue;
      const disagreement = tried(way, subject, reference, seed, manyBlocks);
      if (disagreement === undefined) continue;
      this.caught.push({ number, program, way, disagreement });
      return;
    }
  }

  /** A program that was checked; nothing where it has mistakes, or the checker has. */
  private subject(number: number, program: Program): Subject | undefined {
    try {
      const subject = Subject.ifSound(program);
      if (subject === undefined) this.refused++;
      return subject;
    } catch (error) {
      const message = error instanceof Error ? error.message : `${error}`;
      this.disagreements++;
      const found = { signature: `crash: ${message}`, way: "checking", message, number };
      this.crashed.push(this.add(found, sourceOf(program)));
      return undefined;
    }
  }

  private program(seed: number): Program {
    const { isLarge, hasGradients = false } = this.options;
    const program = programOf(seed, isLarge);
    return hasGradients ? withGradients(program, new Choice(seed ^ 0x2c1b3c6d)) : program;
  }

  private tellAll(): readonly Found[] {
    const { caught, crashed } = this;
    [this.caught, this.crashed] = [[], []];
    return [...crashed, ...caught.flatMap((each) => this.tell(each))].filter(isNew);
  }

  /** Makes a program small and tells of it. */
  private tell({ number, program, way, disagreement }: Caught): readonly Found[] {
    this.disagreements++;
    const { kind } = disagreement;
    const isEndless = kind === "endless";
    if (isEndless && this.endless++ >= mostEndless) return [];
    const seed = seedOf(this.options.seed, number);
    const again = (smaller: Program): Disagreement | undefined => {
      const subject = Subject.ifSound(smaller);
      const blocks = isEndless ? fewBlocks : manyBlocks;
      const found = subject && tried(way, subject, new Reference(subject), seed, blocks);
      return found?.kind === kind ? found : undefined;
    };
    const tries = isEndless ? mostEndlessTries : mostTries;
    let small = program;
    let told = disagreement;
    inTime(() => {
      for (const smaller of shrinking(program, (each) => again(each) !== undefined, tries)) small = smaller;
    }, mostMilliseconds);
    inTime(() => {
      told = again(small) ?? disagreement;
    }, mostMilliseconds);
    const subject = Subject.ifSound(small);
    const text = subject === undefined ? "" : caseText(small, told, new Reference(subject));
    const signature = signatureOf(small, told);
    return [this.add({ signature, way: way.name, message: told.message, number }, text)];
  }

  /** Counts one of a class; the shortest stands for it. */
  private add(each: Omit<Found, "count" | "text">, text: string): Found {
    const previous = this.found.get(each.signature);
    const count = (previous?.count ?? 0) + 1;
    const isShorter = previous === undefined || text.length < previous.text.length;
    const found = isShorter ? { ...each, text, count } : { ...previous, count };
    this.found.set(each.signature, found);
    return found;
  }
}

const isNew = ({ count }: Found): boolean => count === 1;

const hanging = { signature: "hangs", way: "some way", message: "it does not end" } as const;

const seedOf = (seed: number, number: number): number => new Choice(seed + number * 7919).seed();

function tried(
  way: Way,
  subject: Subject,
  reference: Reference,
  seed: number,
  blocks: number,
): Disagreement | undefined {
  allowBlocks(blocks);
  return disagreementOf(way, way.answers(subject, new Choice(seed), reference), reference);
}
