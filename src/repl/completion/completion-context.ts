import type { TensorType } from "../../index.js";
import { inputRows } from "../inputs.js";
import { isEarlier } from "../memory/last-result.js";
import type { Memory } from "../memory/memory.js";
import { labelText } from "../memory/saved-session.js";
import type { CompletionContext } from "./completion.js";
import { functionHelp, functionNames } from "./function-help.js";

/** The most labels of a tensor that are considered. */
const mostLabels = 1000;

/** The names of a session, for completion; labels and help are computed on request. */
export function completionContext(
  memory: Memory,
  files: (prefix: string) => readonly string[],
): CompletionContext {
  const types = typesOf(memory);
  const functions = memory.definitions.functions;
  const namesWith = (dimension: string): string[] =>
    [...types].flatMap(([name, type]) => (type.mapped.some((each) => each.name === dimension) ? [name] : []));
  return {
    names: [...types.keys()].filter((name) => !isEarlier(name)),
    functions: [...new Set([...functions.keys(), ...functionNames])],
    dimensions: [...new Set([...types.values()].flatMap((type) => type.names))].sort(),
    get inputs() {
      return inputRows(memory).map(({ name }) => name);
    },
    dimensionsOf: (name) => types.get(name)?.names,
    labels: (dimension) => {
      const labels = namesWith(dimension).flatMap((name) => labelsOf(name, dimension, memory));
      return [...new Set(labels)].sort().map(labelText);
    },
    help: (name) => functionHelp(name, memory),
    files,
  };
}

/** The types of all names that are tensors, those of the last results among them. */
function typesOf(memory: Memory): ReadonlyMap<string, TensorType> {
  const { inputs, constants, variables, persistents, values } = memory.program("0");
  return new Map([...inputs, ...constants, ...variables, ...persistents, ...values]);
}

function labelsOf(name: string, dimension: string, memory: Memory): readonly string[] {
  const tensor = memory.values.tensor(name) ?? memory.quickValue(name);
  const at = tensor?.type.mapped.findIndex((each) => each.name === dimension) ?? -1;
  return (tensor?.labels ?? []).slice(0, mostLabels).flatMap((labels) => labels[at] ?? []);
}
