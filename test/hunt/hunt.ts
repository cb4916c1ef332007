import { SphexError } from "../../src/language/source/problem.js";
import { caseText, signatureOf } from "./case.js";
import { Choice } from "./choice.js";
import { Coverage } from "./coverage.js";
import { type Disagreement, disagreementOf, type Kind, Reference } from "./disagreement.js";
import { inTime } from "./in-time.js";
import { allowBlocks } from "./memory.js";
import { type Program, programOf } from "./program.js";
import { Subject } from "./runs.js";
import { shrunk } from "./shrink.js";
import { type Way, ways } from "./ways.js";

/** Disagreements of one kind. */
export interface Found {
  readonly signature: string;
  readonly way: string;
  readonly message: string;
  readonly text: string;
  /** The number of the program. */
  readonly number: number;
  count: number;
}

export interface HuntOptions {
  readonly seed: number;
  readonly ways?: readonly Way[];
  /** How many disagreements are shrunk. */
  readonly mostShrunk?: number;
}

/** Looks at one program after the other. */
export class Hunt {
  programs = 0;
  /** Programs that are none. */
  refused = 0;
  disagreements = 0;
  /** Those that do not end; only some are shrunk. */
  endless = 0;
  readonly found = new Map<string, Found>();
  readonly coverage = new Coverage();

  constructor(private readonly options: HuntOptions) {}

  /** Runs the program of a number in all ways that are its turn; what is new about it. */
  look(number: number, isThorough = false): Found | undefined {
    this.programs++;
    const seed = seedOf(this.options.seed, number);
    const subject = subjectOf(programOf(seed));
    if (subject === undefined) {
      this.refused++;
      return undefined;
    }
    const choice = new Choice(seed ^ 0x5bd1e995);
    this.coverage.addProgram(subject);
    allowBlocks(manyBlocks);
    if (choice.below(10) === 0) this.coverage.addPlan(subject);
    const turn = (this.options.ways ?? ways).filter(({ oneOf }) => choice.below(oneOf) === 0 || isThorough);
    const reference = new Reference(subject);
    for (const way of turn) {
      const found = disagreement(way, subject, reference, seed);
      if (found !== undefined) return this.tell(number, seed, subject.program, way, found);
    }
    return undefined;
  }

  private tell(
    number: number,
    seed: number,
    program: Program,
    way: Way,
    first: Disagreement,
  ): Found | undefined {
    this.disagreements++;
    if (this.disagreements > (this.options.mostShrunk ?? 500)) return undefined;
    const isEndless = first.kind === "endless";
    if (isEndless && this.endless++ >= mostEndless) return undefined;
    const again = (smaller: Program): Disagreement | undefined => {
      const subject = subjectOf(smaller);
      const found = subject && disagreement(way, subject, new Reference(subject), seed, first.kind);
      return found?.kind === first.kind ? found : undefined;
    };
    const small = shrunk(
      program,
      (smaller) => again(smaller) !== undefined,
      isEndless ? mostEndlessTries : mostTries,
    );
    const told = again(small) ?? first;
    const signature = signatureOf(small, told);
    const known = this.found.get(signature);
    const subject = subjectOf(small);
    const text = subject === undefined ? "" : caseText(small, told, new Reference(subject));
    const found = { signature, way: way.name, message: told.message, text, number, count: 1 };
    if (known !== undefined) {
      known.count++;
      if (known.text.length <= text.length) return undefined;
      Object.assign(known, { ...found, count: known.count });
      return undefined;
    }
    this.found.set(signature, found);
    return found;
  }
}

const seedOf = (seed: number, number: number): number => new Choice(seed + number * 7919).seed();

/** A program that was checked; nothing where it has mistakes. */
function subjectOf(program: Program): Subject | undefined {
  try {
    return Subject.of(program);
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

function disagreement(
  way: Way,
  subject: Subject,
  reference: Reference,
  seed: number,
  kind?: Kind,
): Disagreement | undefined {
  allowBlocks(kind === "endless" ? fewBlocks : manyBlocks);
  return inTime(() => disagreementOf(way, way.answers(subject, new Choice(seed)), reference), {
    ...{ way: way.name, kind: "endless", run: 0, message: "it does not end" },
  });
}

const [fewBlocks, manyBlocks] = [400, 4000];
const mostTries = 1500;
/** What does not end takes long to try. */
const [mostEndlessTries, mostEndless] = [200, 10];
