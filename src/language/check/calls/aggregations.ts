import type { Node } from "../../core/operations.js";
import { type AggregatorName, aggregatorNames, aggregators } from "../../scalar/aggregators.js";
import type { ScalarName } from "../../scalar/functions.js";
import { type DeployedEnvironment, deploymentIn, isWrittenAnew } from "../deployment/deployment.js";
import { problem } from "../messages.js";
import { bareWord } from "../names.js";
import { anyNumber, type Builtin, type Call } from "./call.js";

/** `sum(t, x)`: a reduction. `max` and `min` of two tensors are joins, unless the second names a dimension (D21). */
export function aggregatorBuiltin(name: (typeof aggregatorNames)[number]): Builtin {
  const signature = `${name}(tensor, dimension, …)`;
  const { description } = aggregators[name];
  if (name !== "max" && name !== "min") {
    return {
      signature,
      least: 1,
      most: anyNumber,
      tensors: [0],
      elaborate: (call) => reduced(call, call.tensor(0), name, 1),
      description,
    };
  }
  return {
    signature: `${signature} or ${name}(left, right)`,
    description: `${description} Of two tensors, the ${name === "max" ? "larger" : "smaller"} of each two cells.`,
    least: 1,
    most: anyNumber,
    // The second may be a dimension.
    tensors: [0],
    elaborate: (call) => {
      const left = call.tensor(0);
      if (left === undefined) return undefined;
      if (call.count !== 2) {
        const values = { name, instead: `reduce(…, ${name})` };
        // Its engine on content nodes has it, but nothing deploys it.
        if (call.checker.context.deployment !== undefined)
          call.checker.report(call.scope)(problem("portability/function", call.span, values));
        return reduced(call, left, name, 1);
      }
      const word = bareWord(call.checker.resolve(call.argument(1), call.scope).argument);
      const isAlong =
        word !== undefined &&
        left.type.dimension(word.text) !== undefined &&
        !isDeployedValue(call, word.text);
      const isReduction = reducesWhereDefined(call) ?? isAlong;
      if (isAlong && !isReduction && !isValue(call, word.text)) {
        const values = { name, dimension: word.text, isDeployed: call.scope.isDeployed };
        call.checker.report(call.scope)(problem("portability/reduction", call.spanOf(1), values));
        return undefined;
      }
      if (word === undefined || !isReduction) {
        const scalar: ScalarName = call.checker.isVespa ? (name === "max" ? "vespaMax" : "vespaMin") : name;
        const right = call.tensor(1);
        return right && call.joined(scalar, left, right);
      }
      if (isValue(call, word.text)) {
        const values = { name: word.text, function: name };
        call.checker.report(call.scope)(problem("name/dimension-or-value", word.span, values));
      }
      return reduced(call, left, name, 1);
    },
  };
}

/**
 * Whether Vespa takes a call of a rank profile for a reduction. It decides this where a function is defined, and in slices, literals and
 * lambdas takes none for one.
 */
function reducesWhereDefined(call: Call): boolean | undefined {
  const { checker, scope } = call;
  if (!isWrittenAnew(checker, scope)) return undefined;
  if (!scope.isDeployed) return false;
  if (scope.origin === undefined) return undefined;
  const word = bareWord(call.argument(1))?.text;
  if (word === undefined || isDeployedValue(call, word)) return false;
  const { names, deployment } = checker.context;
  const typeOf: DeployedEnvironment["typeOf"] = (tree, from) => checker.node(tree, from)?.type;
  return deployment?.dimensionsOf(call.argument(0), { scope, names, typeOf }).has(word);
}

/** Whether Vespa puts in a constant or an inline function for the name of a dimension, when it deploys the expression. */
function isDeployedValue({ checker, scope }: Call, name: string): boolean {
  const deployment = deploymentIn(checker, scope);
  return deployment !== undefined && (deployment.constants.has(name) || deployment.inline.has(name));
}

/** Whether a name is a value here too. */
function isValue({ checker, scope }: Call, name: string): boolean {
  const { inputs, names } = checker.context;
  return inputs.has(name) || names.own(name)?.kind === "value" || scope.find(name)?.kind === "node";
}

/** `reduce(t, sum, x)` */
export function reduce(call: Call): Node | undefined {
  const tensor = call.tensor(0);
  const isDimension = (word: string): boolean => tensor?.type.dimension(word) !== undefined;
  const aggregator = call.oneOf(1, aggregatorNames, "aggregator", isDimension);
  return aggregator === undefined ? undefined : reduced(call, tensor, aggregator, 2);
}

function reduced(call: Call, tensor: Node | undefined, name: AggregatorName, from: number): Node | undefined {
  const over = call.dimensions(from, tensor?.type);
  return tensor === undefined || over === undefined ? undefined : reduction(call, tensor, name, over);
}

/** A reduction with the dialect's max and min (D17). */
export function reduction(call: Call, tensor: Node, name: AggregatorName, over: readonly string[]): Node {
  const vespa = { max: "vespaMax", min: "vespaMin" } as const;
  const aggregator = call.checker.isVespa && (name === "max" || name === "min") ? vespa[name] : name;
  return call.checker.graph.reduce(tensor, aggregator, over, call.span);
}
