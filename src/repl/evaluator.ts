import {
  type Problem,
  type RunOptions,
  type ShowOptions,
  type ShowTensorOptions,
  type Source,
  SphexError,
  showProblem,
  showTensors,
  type Tensor,
} from "../index.js";
import { clip, wrapped } from "../language/source/columns.js";
import { thrownText } from "../language/source/thrown.js";
import { type Evaluated, evaluated, evaluatedAsync } from "./evaluation.js";
import {
  type Definitions,
  type LineProgram,
  type ParsedLine,
  statementsBefore,
} from "./memory/definitions.js";
import type { Memory } from "./memory/memory.js";
import { PortabilityNotes } from "./portability-notes.js";
import { durationText, followed, type Outcome, type Pending, type Reply } from "./reply.js";

function thrown(error: unknown): never {
  throw error;
}

/** How the replies of an evaluator look. */
export interface Display {
  readonly problems: ShowOptions;
  readonly tensors: () => ShowTensorOptions;
  /** A clock, where replies have the time that they took. */
  readonly clock: () => (() => number) | undefined;
  readonly width: () => number;
}

/** What is said of statements that were entered, beside their results. */
interface EntryNotes {
  readonly warnings: readonly Problem[];
  readonly renewed: readonly string[];
  /** The words that have no effect in a conversation. */
  readonly unheeded: readonly string[];
  readonly elapsed: () => readonly string[];
}

/**
 * Enters statements into a memory: compiles them behind the definitions, evaluates their expressions, and remembers what they
 * define if all went well.
 */
export class Evaluator {
  readonly portability = new PortabilityNotes();

  constructor(
    private readonly memory: Memory,
    private readonly display: Display,
  ) {}

  /**
   * Several statements, read as a file is: each may name what comes behind it. Where one has a mistake, those before it
   * are entered all the same.
   */
  block(line: Source, tries = mostTries): Outcome {
    return followed(this.statements(line), (reply) => {
      const { errorAt } = reply;
      const text = errorAt === undefined ? "" : statementsBefore(line, errorAt);
      if (text.trim() === "" || tries === 0) return reply;
      return followed(this.block({ ...line, text }, tries - 1), (before) => {
        const note = before.kind === "problem" ? [] : [enteredNote];
        const answer = before.kind === "problem" || before.text === "" ? [] : [before.text];
        return { ...reply, text: [...answer, reply.text, ...note].join("\n") };
      });
    });
  }

  /** Computes and caches the values of definitions. */
  computed(names: readonly string[]): Outcome {
    const { memory } = this;
    const line = { name: "repl", text: names.join("\n;\n") };
    return this.about(memory.definitions.followedBy(line), (lineProgram) => {
      const program = memory.compileLine(lineProgram, memory.definitions);
      const inputs = memory.values.valuesFor(program);
      return this.pending(
        lineProgram,
        () => program.runAll(inputs),
        (options) => program.runAllAsync(inputs, options),
        ({ results }) => {
          for (const [at, name] of names.entries()) {
            const value = results[at];
            if (value !== undefined) memory.cached.set(name, value);
          }
          return { text: "", kind: "answer" };
        },
      );
    });
  }

  /** Statements, once what they renew has its value, which a note tells. */
  statements(line: Source): Outcome {
    const { memory } = this;
    const renewals = memory.renewedBy(line);
    const unknown = renewals.filter((name) => memory.cached.get(name) === undefined);
    if (unknown.length > 0)
      return followed(this.computed(unknown), (reply) =>
        reply.kind === "problem" ? reply : this.statements(line),
      );
    const renewed = renewals.map((name) => this.wasNote(name));
    const read = memory.read(line);
    return read.problems.length > 0 ? this.problemReply(read.problems) : this.entered(line, read, renewed);
  }

  /** Compiles and computes what was read of a line, and remembers it. */
  private entered(line: Source, read: ParsedLine, renewed: readonly string[]): Outcome {
    const { memory } = this;
    const { defined, statements, expressions, renamings } = read;
    const elapsed = this.stopwatch();
    const others = memory.definitions.without(defined.keys());
    const next = others.with(defined, memory.definitions.remarks.with(line, statements));
    return this.about(others.followedBy(line, defined.size > 0, renamings), (lineProgram) => {
      const program = memory.compileLine(lineProgram, next);
      const incompatible = memory.incompatible(defined.keys(), next);
      const reply = (found: Evaluated): Reply => {
        memory.remember(next, defined.keys(), incompatible, found.results.at(-1));
        this.cache(read, next, found);
        const warnings = program.warnings.flatMap((each) => lineProgram.problem(each));
        return this.answer(found.results, { warnings, renewed, unheeded: read.unheeded, elapsed });
      };
      if (expressions === 0) return reply({ results: [], computed: new Map() });
      const inputs = memory.values.valuesFor(program, incompatible);
      const evaluation = memory.evaluation({
        ...{ lineProgram, program, inputs, definitions: next },
        defined: new Set(defined.keys()),
      });
      return this.pending(
        lineProgram,
        () => evaluated(evaluation),
        (options) => evaluatedAsync(evaluation, options),
        reply,
      );
    });
  }

  /** Keeps the values of formulas that were asked for by their names, and those that were computed on the way. */
  private cache({ names }: ParsedLine, definitions: Definitions, { results, computed }: Evaluated): void {
    const { cached } = this.memory;
    for (const [at, name] of names) {
      const value = results[at];
      if (value !== undefined && definitions.isFormula(name)) cached.set(name, value);
    }
    for (const [name, value] of computed) cached.set(name, value);
  }

  /** The reply to statements that were entered: what is to be said of them, their results, and the time that they took. */
  private answer(results: readonly Tensor[], { warnings, renewed, unheeded, elapsed }: EntryNotes): Reply {
    const texts = [
      ...this.problemTexts(warnings),
      ...this.broken(this.portability.add(warnings)),
      ...renewed,
      ...this.broken(unheededNotes(unheeded)),
      ...(results.length === 0 ? [] : [showTensors(results, this.display.tensors())]),
      ...elapsed(),
    ];
    return { text: texts.join("\n"), kind: "answer" };
  }

  /** Notes in lines of the width. */
  private broken(notes: readonly string[]): readonly string[] {
    return notes.flatMap((each) => wrapped(each, this.display.width(), 2));
  }

  /** What a name was, for a note: `total was 5.0`. */
  private wasNote(name: string): string {
    const value = this.memory.cached.get(name);
    const text = value === undefined ? "" : showTensors([value], { format: "literal" });
    const most = Math.max(20, this.display.width() - name.length - 11);
    return `note: ${name} was ${clip(text, most)}`;
  }

  /** A reply that needs a run; its problems are shown at their spans in the line. */
  pending<T>(
    lineProgram: LineProgram,
    now: () => T,
    later: (options: RunOptions) => Promise<T>,
    reply: (value: T) => Reply,
  ): Pending {
    return {
      kind: "pending",
      now: () => this.guarded(() => this.about(lineProgram, () => reply(now()))),
      later: async (options) => {
        try {
          const value = await later(options);
          return this.guarded(() => this.about(lineProgram, () => reply(value)));
        } catch (error) {
          if (options.signal?.aborted === true) throw error;
          return this.guarded(() => this.about(lineProgram, () => thrown(error)));
        }
      },
    };
  }

  /** Measures the time from now on, where the timer is on and there is a clock. */
  private stopwatch(): () => readonly string[] {
    const clock = this.display.clock();
    if (clock === undefined) return () => [];
    const start = clock();
    return () => [`(${durationText(clock() - start)})`];
  }

  /** A reply to a line; problems of its program are shown at their spans in the line. */
  about<O extends Outcome>(lineProgram: LineProgram, reply: (lineProgram: LineProgram) => O): O | Reply {
    try {
      return reply(lineProgram);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      return this.problemReply(error.problems.flatMap((each) => lineProgram.problem(each)));
    }
  }

  /** The reply to what a run threw. */
  failed(error: unknown): Reply {
    return this.guarded(() => thrown(error));
  }

  guarded<O extends Outcome>(reply: () => O): O | Reply {
    try {
      return reply();
    } catch (error) {
      if (error instanceof SphexError) return this.problemReply(error.problems);
      const message = thrownText(error);
      return { text: `internal error: ${message}`, kind: "problem" };
    }
  }

  problemReply(problems: readonly Problem[]): Reply {
    const starts = problems.flatMap(({ isError, span }) => (isError ? [span.start] : []));
    const errorAt = starts.length === 0 ? undefined : starts.reduce((a, b) => Math.min(a, b));
    return { text: this.problemTexts(problems).join("\n\n"), kind: "problem", errorAt };
  }

  private problemTexts(problems: readonly Problem[]): string[] {
    const others = problems.filter(({ severity }) => severity !== "portability");
    return others.map((each) => showProblem(each, this.display.problems));
  }
}

/** What is entered is computed, and not run as a program is. */
const unheededNotes = (words: readonly string[]): readonly string[] =>
  [...new Set(words)].map(
    (word) =>
      `note: ${word} does nothing here: sphex run FILE --state STATE assigns, and sphex train FILE trains`,
  );

/** Of a text with mistakes in many statements, so many are left out before all of it is. */
const mostTries = 20;

const enteredNote = "note: the statements before it were entered";
