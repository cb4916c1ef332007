import { problem } from "../language/source/messages.js";
import {
  abortSignal,
  amount,
  boolean,
  call,
  checkCallOptions,
  type OptionRules,
  whole,
} from "../language/source/option-rule.js";
import { SphexError } from "../language/source/problem.js";
import { spanOfText } from "../language/source/span.js";
import type { CoreProgram } from "../program/external.js";
import type { SessionOptions } from "./session.js";

/** What callers may say of a statement and of a run on an engine, and what that must be. */

/** Options of a run on an engine. */
export type EngineRunOptions = SessionOptions;

/** How a statement is written. */
export interface SqlOptions {
  /** Of several results one, by position; the last by default. */
  readonly result?: number;
  /** Whether each part is commented with the expression that it computes; it is unless this is false. */
  readonly comments?: boolean;
  /** Whether the statement orders its rows by their addresses; it does unless this is false. */
  readonly ordered?: boolean;
}

/** What an engine is asked of its plan. */
export interface ExplainOnOptions extends EngineRunOptions, SqlOptions {
  /** Whether the statement is run, and the plan has the rows that there were. */
  readonly run?: boolean;
}

/** What was moved for a run: how many cells each shard handed over. */
export interface ClusterReport {
  /** Told as soon as a shard has answered. */
  readonly moved?: (shard: string, cells: number) => void;
}

// biome-ignore format: a table
const runRules: OptionRules<EngineRunOptions> = {
  signal:   abortSignal,
  timeout:  amount,
  retries:  whole,
  progress: call,
};

// biome-ignore format: a table
const sqlRules: OptionRules<SqlOptions> = {
  result:   whole,
  comments: boolean,
  ordered:  boolean,
};

/** What each call takes. */
const callRules = {
  sql: sqlRules,
  stages: sqlRules,
  runAll: runRules,
  explain: { ...runRules, ...sqlRules, run: boolean } satisfies OptionRules<ExplainOnOptions>,
  materialize: { ...runRules, ...sqlRules },
} as const;

/** @throws SphexError for options that a call does not have, or that are no value of theirs. */
export const checkEngineOptions = (name: keyof typeof callRules, options: object): void =>
  checkCallOptions(name, options, callRules[name]);

/** As `checkEngineOptions`, of a call to a cluster, whose runs report more. */
export const checkClusterOptions = (name: keyof typeof callRules, options: object): void =>
  checkCallOptions(name, options, name === "runAll" ? clusterRules : callRules[name]);

const clusterRules: OptionRules<EngineRunOptions & ClusterReport> = { ...runRules, moved: call };

/**
 * The selected result of a program, its last one by default.
 * @throws SphexError where it has no such result.
 */
export function selectedRoot(
  { roots }: CoreProgram,
  { result = roots.length - 1 }: SqlOptions,
): CoreProgram["roots"][number] {
  const root = roots[result];
  if (root !== undefined) return root;
  const values = {
    name: "result",
    found: `${result}`,
    expected: "the name or the number of a result",
  } as const;
  throw new SphexError([problem("option/value", spanOfText("options", "result"), values)]);
}
