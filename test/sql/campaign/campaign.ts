import { SphexError } from "../../../src/language/source/problem.js";
import type { TensorType } from "../../../src/language/types/type.js";
import { element } from "../../../src/language/values/element.js";
import type { Tensor } from "../../../src/language/values/tensor.js";
import { compile } from "../../../src/program/compile.js";
import {
  type Binding,
  type Bindings,
  type BoundProgram,
  onCluster,
  onEngine,
  type SqlConnection,
  type SqlEngine,
  type Target,
} from "../../../src/sql.js";
import { Choice } from "../../hunt/choice.js";
import { type Disagreement, disagreementOf } from "../../hunt/disagreement.js";
import { withGradients } from "../../hunt/gradients.js";
import { type Program, programOf, sourceOf } from "../../hunt/program.js";
import { Reference } from "../../hunt/reference.js";
import { type Outcome, Subject } from "../../hunt/runs.js";
import { shrinkingSteps } from "../../hunt/shrink.js";
import { type Store, type Stored, storedAs, storedTogether } from "./bound.js";
import { withAwkwardLabels, withoutRows, withSameRows } from "./labels.js";

/** What is tried: an engine, and what of it may be refused. */
export interface CampaignOptions {
  readonly engine: SqlEngine;
  readonly store: Store;
  /** Parts of what an engine says where it has no value, and says so. */
  readonly refusals: readonly string[];
}

/** What became of a program. */
export type Looked =
  | { readonly kind: "agrees" | "long" | "none" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "differs"; readonly disagreement: Disagreement };

/** A program that an engine has another value of. */
export interface Difference {
  readonly seed: number;
  readonly message: string;
  readonly text: string;
}

const [patience, mostTries] = [{ timeout: 60_000 }, 400];

/** Programs of the hunt on an engine: their inputs are bound in all ways that there are, and their values are the reference's. */
export class Campaign {
  private constructor(
    private readonly options: CampaignOptions,
    private readonly connections: SqlConnection[],
  ) {}

  static async of(options: CampaignOptions): Promise<Campaign> {
    const connections: SqlConnection[] = [];
    while (connections.length < options.store.shards) connections.push(await options.engine.connect());
    return new Campaign(options, connections);
  }

  async close(): Promise<void> {
    for (const each of this.connections) await each.close();
  }

  /** Looks at the program of a seed; every other one is of the other dialect, where it is a program in it. */
  async look(seed: number): Promise<Looked> {
    return await this.compared(programFor(seed), seed);
  }

  /** What differs, as the smallest program that was found. */
  async told(seed: number, disagreement: Disagreement): Promise<Difference> {
    let small = programFor(seed);
    let told = disagreement;
    const steps = shrinkingSteps(small, mostTries);
    for (let step = steps.next(); step.done !== true; ) {
      const looked = await this.compared(step.value, seed);
      const isStill = looked.kind === "differs" && looked.disagreement.kind === disagreement.kind;
      if (isStill) {
        small = step.value;
        told = looked.disagreement;
      }
      step = steps.next(isStill);
    }
    return { seed, message: `${told.way}: ${told.message}`, text: this.textOf(small, seed) };
  }

  private async compared(program: Program, seed: number): Promise<Looked> {
    const subject = Subject.ifSound(program);
    if (subject === undefined) return { kind: "none" };
    const reference = new Reference(subject);
    if (reference.takesLong([0])) return { kind: "long" };
    // A database finds sizes that do not fit while it runs, if at all: what the reference has values of is compared.
    if (reference.outcome(0).kind !== "values") return { kind: "none" };
    for (const { way, values } of this.waysOf(subject, seed)) {
      const answer = await this.answerOf(values);
      if (answer.kind === "refused") return answer;
      if (answer.kind === "problems") return { kind: "long" };
      const disagreement = disagreementOf(
        { name: way, answers: () => [], oneOf: 1 },
        [{ run: 0, outcome: answer }],
        reference,
      );
      if (disagreement === undefined) continue;
      const message = answer.kind === "crash" ? answer.message : disagreement.message;
      return { kind: "differs", disagreement: { ...disagreement, message } };
    }
    return { kind: "agrees" };
  }

  /** The program run and read, and sometimes its last result written, and then read. */
  private waysOf(subject: Subject, seed: number): readonly Run[] {
    const choice = new Choice(seed ^ 0x2545f491);
    const target = this.target(choice);
    let results: readonly Tensor[] = [];
    const stored = async (): Promise<Bindings> => {
      const inputs = this.storedInputs(subject.program, seed);
      for (const [shard, connection] of this.connections.entries())
        for (const text of inputs.flatMap(({ statements }) => statements[shard] ?? []))
          await connection.query(text);
      return Object.fromEntries(inputs.map(({ name, binding }) => [name, binding]));
    };
    const bound = async (): Promise<BoundProgram> => {
      const bindings = await stored();
      return subject.compiled({}).on(onEngine(this.shared), bindings);
    };
    if (this.connections.length > 1) {
      const values = async () => {
        const bindings = await stored();
        return await subject.compiled({}).on(onCluster(this.shards), bindings).runAll(patience);
      };
      return [{ way: "run on shards", values }];
    }
    const run: Run = {
      way: "run",
      values: async () => {
        results = await (await bound()).runAll(patience);
        return results;
      },
    };
    if (target === undefined) return [run];
    const written: Run = {
      way: `into ${JSON.stringify(target)}`,
      values: async () => {
        const last = results.at(-1);
        if (last === undefined) return results;
        await (await bound()).materialize(target, patience);
        return [...results.slice(0, -1), await this.readBack(last.type, target)];
      },
    };
    return [run, written];
  }

  private target(choice: Choice): Target | undefined {
    const { folder } = this.options.store;
    if (!choice.percent(40)) return undefined;
    const file = choice.oneOf([undefined, "csv", "parquet"]);
    return folder === undefined || file === undefined
      ? { table: "written" }
      : { file: `${folder}/written.${file}` };
  }

  private async readBack(type: TensorType, source: Target): Promise<Tensor> {
    const dimensions = Object.fromEntries(type.names.map((name) => [name, name]));
    const program = compile(`input r: ${type}\nr`);
    return await program.on(onEngine(this.shared), { r: { source, dimensions } }).run(patience);
  }

  private storedInputs({ inputs }: Program, seed: number): readonly (Stored & { readonly name: string })[] {
    const { store } = this.options;
    const together = storedTogether(inputs, store, new Choice(seed ^ 0x2c1b3c6d));
    return inputs.map(({ name, values: [tensor] }) => {
      const choice = new Choice(seed * 31 + Number(name.slice(1)));
      return { name, ...(together.get(name) ?? storedAs(name, tensor, store, choice)) };
    });
  }

  /** The engine with the connections of the campaign, which stay open. */
  private get shards(): readonly SqlEngine[] {
    return this.connections.map((connection) => ({
      ...this.options.engine,
      connect: async () => ({
        query: (text, options) => connection.query(text, options),
        close: async () => {},
      }),
    }));
  }

  private get shared(): SqlEngine {
    return element(this.shards, 0);
  }

  private async answerOf(values: () => Promise<readonly Tensor[]>): Promise<Outcome | Refused> {
    try {
      return { kind: "values", values: await values() };
    } catch (error) {
      await this.reconnect();
      if (!(error instanceof SphexError)) return { kind: "crash", message: `${error}`.slice(0, 500) };
      const [{ code, description } = { code: "", description: { message: "" } }] = error.problems;
      const reason = `${code}: ${JSON.stringify(description)}`;
      if (code === "engine/stopped" || code.startsWith("limit/")) return { kind: "problems", codes: code };
      const isRefused =
        code.startsWith("sql/") || this.options.refusals.some((each) => reason.includes(each));
      return isRefused ? { kind: "refused", reason } : { kind: "crash", message: reason };
    }
  }

  /** What failed may have been part of a transaction, or have cost the connection. */
  private async reconnect(): Promise<void> {
    for (const [at, connection] of this.connections.entries()) {
      await connection.query("ROLLBACK").catch(() => undefined);
      const isLost = await connection.query("SELECT 1").then(
        () => false,
        () => true,
      );
      if (!isLost) continue;
      await connection.close().catch(() => undefined);
      this.connections[at] = await this.options.engine.connect();
    }
  }

  private textOf(program: Program, seed: number): string {
    const { dialect } = Subject.ifSound(program) ?? program;
    const bindings = this.storedInputs(program, seed).map(
      ({ name, statements, binding }, at) =>
        `  ${name} = ${program.inputs[at]?.values[0]}\n    ${[...statements.flat(), JSON.stringify(shown(binding))].join("\n    ")}`,
    );
    return [`${sourceOf(program)}   (${dialect})`, ...bindings].join("\n");
  }
}

/** A way to come to the values of all results. */
interface Run {
  readonly way: string;
  readonly values: () => Promise<readonly Tensor[]>;
}

type Refused = Extract<Looked, { readonly kind: "refused" }>;

const shown = (binding: Binding): unknown => ("tensor" in binding ? "a tensor" : binding);

/** The program of a seed; of each four two are of the other dialect, and one has derivatives. */
const programFor = (seed: number): Program => {
  const labelled = withAwkwardLabels(programOf(seed), new Choice(seed ^ 0x51ab3e1));
  const placed = withSameRows(labelled, new Choice(seed ^ 0x1b873593));
  const program = withoutRows(placed, new Choice(seed ^ 0x3c6ef35f));
  if (seed % 2 === 1) return { ...program, dialect: "vespa" };
  return seed % 4 === 0 ? withGradients(program, new Choice(seed)) : program;
};
