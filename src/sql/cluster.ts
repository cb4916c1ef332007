import { finish, Meter } from "../backends/meter.js";
import { boxed, Evaluation, unboxed } from "../backends/reference/evaluation.js";
import {
  type Distribution,
  distributionsOf,
  type Fetch,
  fetchesOf,
  type InputDistribution,
} from "../backends/sql/statements/distribution.js";
import { allStatements, type SqlStatement } from "../backends/sql/statements/statement.js";
import { Graph } from "../language/core/graph.js";
import type { Node } from "../language/core/operations.js";
import { SphexError } from "../language/source/problem.js";
import { element, entry } from "../language/values/element.js";
import { spanOfText } from "../language/values/messages.js";
import type { Tensor } from "../language/values/tensor.js";
import type { CoreProgram, ExternalEngine } from "../program/external.js";
import { Agreement } from "./agreement.js";
import type { Bindings } from "./bindings.js";
import { BoundInputs } from "./bound-inputs.js";
import { explained, fetched, writingStatements, written } from "./bound-program.js";
import { aggregateOf, unionOf } from "./combining.js";
import type { SqlEngine } from "./driver.js";
import { problem } from "./messages.js";
import {
  type ClusterReport,
  checkClusterOptions,
  type EngineRunOptions,
  type ExplainOnOptions,
  type SqlOptions,
  selectedRoot,
} from "./run-options.js";
import { Session } from "./session.js";

/** What the shards do for a result. */
export interface ClusterStage {
  readonly kind: Fetch["kind"];
  readonly description: string;
  /** The statements that run there; on the first shard alone where its kind is `first`. */
  readonly statements: readonly string[];
}

const descriptions: Readonly<Record<Fetch["kind"], string>> = {
  first: "one shard computes it from replicated tables",
  union: "each shard computes its part, and all cells of the parts are gathered",
  partial: "each shard reduces its part, and the reductions are aggregated here",
};

/**
 * A program whose inputs are spread over shards. Each shard computes as much of the program as it can from its own rows, by one
 * statement for each value that it hands over; what is left is computed here.
 */
export class ClusterProgram {
  private readonly inputs: BoundInputs;
  private readonly distribution: InputDistribution;

  constructor(
    private readonly shards: readonly SqlEngine[],
    private readonly program: CoreProgram,
    bindings: Bindings,
  ) {
    this.inputs = new BoundInputs(program, element(shards, 0).dialect, bindings);
    this.distribution = this.inputDistributions();
  }

  /** What the shards do for a result, in the order in which they are asked. */
  stages(options: SqlOptions = {}): readonly ClusterStage[] {
    checkClusterOptions("stages", options);
    const { node } = selectedRoot(this.program, options);
    return this.fetches([node]).map((fetch) => ({
      kind: fetch.kind,
      description: descriptions[fetch.kind],
      statements: allStatements(this.statements(fetch)),
    }));
  }

  /** What the shards do for a result: each stage with the plan of each shard that has a part in it. */
  async explain(options: ExplainOnOptions = {}): Promise<string> {
    checkClusterOptions("explain", options);
    const stages = this.fetches([selectedRoot(this.program, options).node]).map((fetch) => ({
      kind: fetch.kind,
      statements: this.statements(fetch),
    }));
    if (stages.length === 0) return "nothing is computed on the shards";
    const shards = await this.onShards(options, async (session, shard, at) => {
      const plans: (readonly string[])[] = [];
      for (const { kind, statements } of stages) {
        const own: string[] = [];
        for (const each of kind === "first" && at > 0 ? [] : statements)
          own.push(`${shard.name}:\n\n${await explained(session, shard, each, options)}`);
        plans.push(own);
      }
      return plans;
    });
    const texts = stages.map(({ kind, statements }, stage) => {
      const all = allStatements(statements).join(";\n\n");
      return [`${descriptions[kind]}:\n\n${all};`, ...shards.flatMap((plans) => element(plans, stage))];
    });
    return texts.flat().join("\n\n");
  }

  /** The last result. @throws SphexError where a shard fails: what the others have is no result. */
  async run(options: EngineRunOptions & ClusterReport = {}): Promise<Tensor> {
    const results = await this.runAll(options);
    return element(results, results.length - 1);
  }

  async runAll(options: EngineRunOptions & ClusterReport = {}): Promise<readonly Tensor[]> {
    checkClusterOptions("runAll", options);
    return await this.values(
      this.program.roots.map(({ node }) => node),
      options,
    );
  }

  private async values(
    roots: readonly Node[],
    options: EngineRunOptions & ClusterReport,
  ): Promise<readonly Tensor[]> {
    const fetches = this.fetches(roots);
    const parts = await this.answers(fetches, options);
    const evaluation = this.evaluation();
    for (const [at, fetch] of fetches.entries())
      evaluation.define(fetch.node, unboxed(combined(fetch, element(parts, at))));
    return roots.map((node) => boxed(finish(evaluation.value(node)), node.type));
  }

  private statements(fetch: Fetch): readonly SqlStatement[] {
    return nodesOf(fetch).map((each) => this.inputs.statement(each, { hasComments: true }));
  }

  private fetches(roots: readonly Node[]): readonly Fetch[] {
    return fetchesOf(roots, this.distribution);
  }

  /**
   * Writes a result to a table of each shard: its own part where the result is partitioned, all of it where it is not. The tables
   * are there on all shards, or on none.
   */
  async materialize(table: string, options: EngineRunOptions & SqlOptions = {}): Promise<void> {
    checkClusterOptions("materialize", options);
    const { node } = selectedRoot(this.program, options);
    const { kind } = entry(distributionsOf([node], this.distribution), node);
    const isThere = kind === "partitioned" || kind === "replicated";
    const source = isThere ? node : new Graph().constant(await this.value(node, options), node.span);
    const { text, preparation } = this.inputs.statement(source, { hasComments: false, isOrdered: false });
    const agreement = new Agreement(this.shards.length);
    // A shard that began again would wait for those that have agreed already.
    await this.onShards({ ...options, retries: 0 }, async (session, shard, _, signal) => {
      if (isThere) await this.inputs.check(session);
      const statements = [...preparation, ...writingStatements(text, { table }, shard)];
      await written(session, shard, statements, () => agreement.reached(signal));
    });
  }

  private async value(node: Node, options: EngineRunOptions): Promise<Tensor> {
    return element(await this.values([node], options), 0);
  }

  /** What the shards answer: for each fetch, for each of its nodes, a tensor of each shard. */
  private async answers(
    fetches: readonly Fetch[],
    { moved, ...options }: EngineRunOptions & ClusterReport,
  ): Promise<readonly (readonly (readonly Tensor[])[])[]> {
    if (fetches.length === 0) return [];
    const answers = await this.onShards(options, async (session, shard, at) => {
      await this.inputs.check(session);
      const tensors: (readonly Tensor[])[] = [];
      for (const fetch of fetches) {
        const values: Tensor[] = [];
        for (const node of fetch.kind === "first" && at > 0 ? [] : nodesOf(fetch)) {
          const stage = `computes part ${1 + tensors.length} of ${fetches.length}`;
          const request = { node, span: node.span, stage };
          const value = await fetched(session, this.inputs, request, this.program.limits.cells);
          moved?.(shard.name, value.rows * value.blockCells);
          values.push(value);
        }
        tensors.push(values);
      }
      return tensors;
    });
    return fetches.map((_, fetch) => answers.map((each) => element(each, fetch)));
  }

  /** A session on each shard, all at once. The first failure stops all. */
  private async onShards<T>(
    { signal, ...options }: EngineRunOptions,
    use: (session: Session, shard: SqlEngine, at: number, signal: AbortSignal) => Promise<T>,
  ): Promise<readonly T[]> {
    const failure = new AbortController();
    const signals = signal === undefined ? [failure.signal] : [signal, failure.signal];
    const first: { error?: unknown } = {};
    const running = this.shards.map((shard, at) => {
      // Node warns of more than ten listeners to one signal.
      const either = AbortSignal.any(signals);
      return Session.with(shard, this.program.span, { ...options, signal: either }, (session) =>
        use(session, shard, at, either),
      ).catch((error: unknown) => {
        first.error ??= error;
        failure.abort();
        throw error;
      });
    });
    const settled = await Promise.allSettled(running);
    if (first.error !== undefined) throw first.error;
    return settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  }

  /** The reference evaluator for what is computed here: it is small, whatever the tables are. */
  private evaluation(): Evaluation {
    const evaluation: Evaluation = new Evaluation({
      meter: new Meter(this.program.limits),
      random: () => {
        throw new SphexError([problem("sql/unsupported", this.program.span, { what: "random numbers" })]);
      },
      input: (name, span) => {
        const node = this.inputs.value(name);
        if (node !== undefined) return evaluation.value(node);
        const type = this.program.inputs.get(name);
        throw new SphexError([
          problem("sql/unbound-input", span, {
            name,
            type: type ?? element(this.program.roots, 0).node.type,
          }),
        ]);
      },
    });
    return evaluation;
  }

  private inputDistributions(): InputDistribution {
    const found = new Map<string, Distribution>();
    const problems = [];
    for (const [name, { type, binding }] of this.inputs.tables) {
      const { partition, isReplicated = false } = binding;
      const isMapped = partition !== undefined && type.dimension(partition)?.kind === "mapped";
      if (isMapped && !isReplicated) found.set(name, { kind: "partitioned", dimension: partition });
      else if (isReplicated && partition === undefined) found.set(name, { kind: "replicated" });
      else problems.push(problem("binding/placement", spanOfText("binding", name), { name }));
    }
    if (problems.length > 0) throw new SphexError(problems);
    return (name) => {
      const node = found.has(name) ? undefined : this.inputs.value(name);
      return node === undefined ? found.get(name) : { default: node };
    };
  }
}

const nodesOf = (fetch: Fetch): readonly Node[] => (fetch.kind === "partial" ? fetch.parts : [fetch.node]);

/** The value of a node, from what each shard answered. */
function combined(fetch: Fetch, shards: readonly (readonly Tensor[])[]): Tensor {
  if (fetch.kind === "first") return element(element(shards, 0), 0);
  const values = shards.map((each) => element(each, 0));
  if (fetch.kind === "union") return unionOf(fetch.node.type, values);
  const counts = fetch.parts.length > 1 ? shards.map((each) => element(each, 1)) : undefined;
  return aggregateOf(fetch.node, values, counts);
}

/** Shards of one cluster, with tables of the same names: `program.on(onCluster(shards), bindings)`. */
export const onCluster = (shards: readonly SqlEngine[]): ExternalEngine<Bindings, ClusterProgram> => ({
  bind: (program, bindings) => new ClusterProgram(shards, program, bindings),
});
