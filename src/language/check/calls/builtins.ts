import type { Node } from "../../core/operations.js";
import { aggregatorNames } from "../../scalar/aggregators.js";
import {
  type ScalarName,
  scalarFunctions,
  scalarNamed,
  scalarNames,
  vespaForms,
} from "../../scalar/functions.js";
import { isExpression } from "../../syntax/tree.js";
import {
  concatType,
  joinType,
  mapSubspacesType,
  mapType,
  mergeType,
  subspaceType,
} from "../../types/algebra.js";
import { TensorType } from "../../types/type.js";
import { branchOf, deployedConstant } from "../deployment/constants.js";
import { deploymentIn } from "../deployment/deployment.js";
import { problem } from "../messages.js";
import { unary } from "../operators.js";
import { aggregatorBuiltin, reduce } from "./aggregations.js";
import { anyNumber, type Builtin, type Call, foundArgument } from "./call.js";
import { conditional } from "./conditionals.js";
import { gradient, jacobianVectorProduct } from "./gradients.js";
import { intrinsics } from "./intrinsics.js";
import {
  liftedFilterSubspaces,
  liftedJoin,
  liftedMap,
  liftedMapSubspaces,
  liftedMerge,
} from "./lambda-lifting.js";

const { scalar } = TensorType;

/** The core's own functions (Paper 5.3, and Vespa's four). */
// biome-ignore format: a table
const core: Readonly<Record<string, Builtin>> = {
  map:               { signature: "map(tensor, f(x)(…))",                     least: 2, most: 2,         tensors: [0],       elaborate: map, description: "The function of each cell." },
  reduce:            { signature: "reduce(tensor, aggregator, dimension, …)", least: 2, most: anyNumber, tensors: [0],       elaborate: reduce, description: "The cells along the dimensions, or along all of them, taken together by an aggregator; 0 of no cells." },
  join:              { signature: "join(left, right, f(x,y)(…))",             least: 3, most: 3,         tensors: [0, 1],    elaborate: join, description: "The function of each two cells whose addresses agree on the dimensions that both sides have." },
  merge:             { signature: "merge(left, right, f(x,y)(…))",            least: 3, most: 3,         tensors: [0, 1],    elaborate: merge, description: "The cells of both sides; the function of both where both have a cell." },
  rename:            { signature: "rename(tensor, dimension, name)",          least: 3, most: 3,         tensors: [0],       elaborate: rename, description: "The same cells with another name for a dimension." },
  concat:            { signature: "concat(left, right, dimension)",           least: 3, most: 3,         tensors: [0, 1],    elaborate: concat, description: "The right side behind the left one along the dimension." },
  cell_cast:         { signature: "cell_cast(tensor, cell type)",             least: 2, most: 2,         tensors: [0],       elaborate: cast, description: "The cells in another cell type: rounded for half and float, digits cut off for bfloat16, and for whole numbers fractions cut off and what is out of range wrapped." },
  cell_order:        { signature: "cell_order(tensor, max or min)",           least: 2, most: 2,         tensors: [0],       elaborate: order, description: "The rank of each cell, from 0 for the highest (max) or the lowest (min); equal ones in the order of their addresses, NaN last." },
  map_subspaces:     { signature: "map_subspaces(tensor, f(x)(…))",           least: 2, most: 2,         tensors: [0],       elaborate: mapSubspaces, description: "The function of each dense subspace." },
  filter_subspaces:  { signature: "filter_subspaces(tensor, f(x)(…))",        least: 2, most: 2,         tensors: [0],       elaborate: filterSubspaces, description: "The dense subspaces for which the function is true somewhere." },
  gradient:          { signature: "gradient(tensor, name)",                   least: 2, most: 2,         tensors: [0],       elaborate: gradient, description: "The derivative of each cell of the tensor in each cell of the variable, input or value of that name." },
  jvp:               { signature: "jvp(tensor, name, direction)",             least: 3, most: 3,         tensors: [0, 2],    elaborate: jacobianVectorProduct, description: "The derivative of each cell of the tensor as the variable, input or value of that name changes in a direction." },
  if:                { signature: "if(condition, then, otherwise)",           least: 3, most: 4,         tensors: [0, 1, 2], elaborate: conditionalCall, description: "The second argument where the first is true, otherwise the third." },
};

/**
 * The functions that are not written in the language: the core's own, the scalar functions and aggregators of their tables,
 * and those that look at types.
 */
export const builtins: ReadonlyMap<string, Builtin> = new Map([
  ...Object.entries(core),
  ...scalarNames.map((name): [string, Builtin] => [name, scalarBuiltin(name)]),
  ...aggregatorNames.map((name): [string, Builtin] => [name, aggregatorBuiltin(name)]),
  ...intrinsics,
]);

/** A scalar function: a map of one tensor, or a join of two. */
function scalarBuiltin(name: string): Builtin {
  const scalarName = scalarNamed(name);
  if (scalarName === undefined) throw new Error(`${name} is no scalar function`);
  const { parameters, description } = scalarFunctions[scalarName];
  const elaborate = (call: Call): Node | undefined => {
    if (Object.hasOwn(vespaForms, scalarName)) {
      const values = { name, instead: vespaForms[scalarName] };
      call.checker.report(call.scope)(problem("portability/scalar", call.span, values));
    }
    return parameters.length === 1 ? mapped(call, scalarName) : joined(call, scalarName);
  };
  return {
    signature: `${name}(${parameters.join(", ")})`,
    least: parameters.length,
    most: parameters.length,
    tensors: [...parameters.keys()],
    elaborate,
    description,
  };
}

function mapped(call: Call, name: ScalarName): Node | undefined {
  const tensor = call.tensor(0);
  return tensor === undefined ? undefined : unary(call.checker, name, tensor, call.span);
}

function joined(call: Call, name: ScalarName): Node | undefined {
  const [left, right] = [call.tensor(0), call.tensor(1)];
  return left && right && call.joined(name, left, right);
}

function map(call: Call): Node | undefined {
  const [tensor, lambda] = [call.tensor(0), call.lambda(1, [scalar], "scalar")];
  if (tensor === undefined || lambda === undefined) return undefined;
  return call.lifted(liftedMap(call.use, tensor, lambda), [tensor], lambda, mapType(tensor.type));
}

function join(call: Call): Node | undefined {
  const [left, right, lambda] = [call.tensor(0), call.tensor(1), call.lambda(2, [scalar, scalar], "scalar")];
  if (left === undefined || right === undefined) return undefined;
  const report = reporterOf(call, left);
  const type = joinType(left.type, right.type, "join", report);
  if (report.failed || lambda === undefined) return undefined;
  return call.lifted(liftedJoin(call.use, [left, right], lambda), [left, right], lambda, type);
}

function merge(call: Call): Node | undefined {
  const [left, right, lambda] = [call.tensor(0), call.tensor(1), call.lambda(2, [scalar, scalar], "scalar")];
  if (left === undefined || right === undefined) return undefined;
  const report = reporterOf(call, left);
  const type = mergeType(left.type, right.type, report);
  if (report.failed || lambda === undefined) return undefined;
  return call.lifted(liftedMerge(call.use, [left, right], lambda), [left, right], lambda, type);
}

/** Problems of two operands point at the second, and are related to the first, labelled with its type. */
function reporterOf(call: Call, left: Node) {
  return call.checker.typeReporter(call.scope, call.spanOf(1), [
    { span: call.spanOf(0), label: `${left.type}` },
  ]);
}

function rename(call: Call): Node | undefined {
  const [tensor, from, to] = [call.tensor(0), call.names(1), call.names(2)];
  if (from === undefined || to === undefined) return undefined;
  const report = call.checker.report(call.scope);
  if (from.length !== to.length) {
    const values = { from: from.length, to: to.length };
    return void report(problem("call/rename-count", call.spanOf(2), values));
  }
  const oldNames = call.distinct(
    from.map((word) => call.existingDimension(word, tensor?.type)),
    (at) => from[at]?.span ?? call.span,
  );
  const newNames = call.distinct(
    to.map((word) => word.text),
    (at) => to[at]?.span ?? call.span,
  );
  if (tensor === undefined || oldNames === undefined || newNames === undefined) return undefined;
  const old = new Set(oldNames);
  const clash = newNames.find((name) => tensor.type.dimension(name) !== undefined && !old.has(name));
  if (clash !== undefined)
    return void report(problem("type/rename-clash", call.spanOf(2), { dimension: clash, type: tensor.type }));
  return call.checker.graph.rename(tensor, oldNames, newNames, call.span);
}

function concat(call: Call): Node | undefined {
  const [left, right, along] = [call.tensor(0), call.tensor(1), call.dimension(2)];
  if (left === undefined || right === undefined || along === undefined) return undefined;
  const report = reporterOf(call, left);
  concatType(left.type, right.type, along.text, report);
  return report.failed
    ? undefined
    : call.checker.graph.concat(left, right, along.text, !call.checker.isVespa, call.span);
}

function cast(call: Call): Node | undefined {
  const [tensor, cellType] = [call.tensor(0), call.cellType(1)];
  if (tensor === undefined || cellType === undefined) return undefined;
  if (tensor.type.isScalar && cellType !== "double") {
    return void call.checker.report(call.scope)(problem("type/scalar-cast", call.spanOf(1), { cellType }));
  }
  return call.checker.graph.cast(tensor, tensor.type.withCells(cellType), call.span);
}

function order(call: Call): Node | undefined {
  const [tensor, by] = [call.tensor(0), call.oneOf(1, ["max", "min"], "order")];
  return tensor && by && call.checker.graph.order(tensor, by === "max", call.span);
}

function mapSubspaces(call: Call): Node | undefined {
  const tensor = call.tensor(0);
  if (tensor === undefined) return undefined;
  const lambda = call.lambda(1, [subspaceType(tensor.type)], "tensor", tensor);
  if (lambda === undefined) return undefined;
  const report = call.checker.typeReporter(call.scope, call.spanOf(1));
  mapSubspacesType(tensor.type, lambda.body.type, report);
  return report.failed ? undefined : liftedMapSubspaces(call.use, tensor, lambda);
}

function filterSubspaces(call: Call): Node | undefined {
  const tensor = call.tensor(0);
  if (tensor === undefined) return undefined;
  if (tensor.type.mapped.length === 0) {
    const values = { name: call.name, type: tensor.type };
    return void call.checker.report(call.scope)(problem("type/not-mapped", call.spanOf(0), values));
  }
  const lambda = call.lambda(1, [subspaceType(tensor.type)], "tensor", tensor);
  return lambda && liftedFilterSubspaces(call.use, tensor, lambda);
}

/** `if(c, a, b)`; a fourth argument is a probability that changes nothing. */
function conditionalCall(call: Call): Node | undefined {
  const condition = call.scalar(0, "condition");
  const [yes, no] = [call.tensor(1), call.tensor(2)];
  const chance = call.count === 4 ? call.argument(3) : undefined;
  if (chance !== undefined && !(chance.kind === "number" && chance.value <= 1))
    return call.refuse(3, "probability", foundArgument(chance));
  if (condition === undefined || yes === undefined || no === undefined) return undefined;
  const { checker, scope } = call;
  const list = [0, 1, 2].map((at) => call.argument(at)).filter(isExpression);
  const deployed = deploymentIn(checker, scope) && branchOf(list, (each) => deployedConstant(checker, each));
  const branches = { yes: { node: yes, span: call.spanOf(1) }, no: { node: no, span: call.spanOf(2) } };
  const chosen = deployed && (deployed === list[1] ? yes : no);
  return conditional(checker, { condition, ...branches, span: call.span, deployed: chosen }, scope);
}
