import type { Backend } from "../../backends/backend.js";
import { backendNamed, backendNames, defaultBackend } from "../../backends/backends.js";
import { unsupportedProblems } from "../../backends/support.js";
import type { CheckedProgram } from "../../language/check/statements/program.js";
import type { Node } from "../../language/core/operations.js";
import { nearest } from "../../language/source/nearest.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import { spanOfText } from "../../language/values/messages.js";
import { problem } from "../messages.js";
import type { Options } from "../options.js";

/**
 * The backend that the options of a program choose.
 * @throws SphexError where there is none of the name, or it cannot run the program here.
 */
export function chosenBackend(checked: CheckedProgram, options: Options): Backend {
  const problems = backendProblems(checked, options);
  const backend = backendOf(options);
  if (backend === undefined || problems.length > 0) throw new SphexError(problems);
  return backend;
}

/** Why the backend that the options choose cannot run a program, or cannot run it here. */
export function backendProblems(checked: CheckedProgram, options: Options): readonly Problem[] {
  const backend = backendOf(options);
  if (backend === undefined) {
    const name = `${options.backend}`;
    const values = { name, nearest: nearest(name, backendNames), backends: backendNames };
    return [problem("backend/unknown", spanOfText("backend", name), values)];
  }
  const { name, host } = backend;
  if (host?.isRequired !== true || host.isAvailable()) return unsupportedProblems(backend, rootsOf(checked));
  return [problem("backend/unavailable", spanOfText("backend", name), { backend: name, feature: host.name })];
}

function backendOf({ backend = defaultBackend }: Options): Backend | undefined {
  return typeof backend === "object" ? backend : backendNamed(backend);
}

/** What runs a program. */
export interface RunningBackend {
  readonly name: string;
  readonly description: string;
  /** What this host lacks, `WebAssembly` where a page forbids it; the backend does without, more slowly. */
  readonly lacks: string | undefined;
}

export function runningBackend({ name, description, host }: Backend): RunningBackend {
  return { name, description, lacks: host === undefined || host.isAvailable() ? undefined : host.name };
}

/** All that a run of a program may be asked for. */
function* rootsOf({ results, values, declared }: CheckedProgram): Generator<Node> {
  for (const { node } of results) yield node;
  yield* values.values();
  for (const { value } of declared.values()) if (value !== undefined) yield value;
}
