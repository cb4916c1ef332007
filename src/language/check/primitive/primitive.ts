import { fromInputs } from "../../core/fold.js";
import {
  inputsOf,
  type Lambda,
  lambdaOf,
  type Node,
  type NodeOf,
  type Selection,
  type Table,
  visit,
} from "../../core/operations.js";
import type { ScalarName } from "../../scalar/functions.js";
import { textAsNumber } from "../../scalar/hash.js";
import { type OperatorSymbol, prefixes, symbolOf } from "../../scalar/operators.js";
import { append } from "../../source/lists.js";
import { SphexError } from "../../source/problem.js";
import { textIn } from "../../source/span.js";
import { parseExpression } from "../../syntax/parse.js";
import { printExpression } from "../../syntax/pretty-printer/print.js";
import * as synthetic from "../../syntax/synthesize.js";
import type { Expression, SliceBinding } from "../../syntax/tree.js";
import { branchType } from "../../types/algebra.js";
import { element } from "../../values/element.js";
import { wholeLabel } from "../../values/text.js";
import { problem } from "../messages.js";
import { contentForm } from "./content-forms.js";
import {
  type DeployedNumbers,
  deployedBranch,
  deployedInfinity,
  deployedNode,
  deployedNumbers,
  deployedOperation,
  isInfinite,
  standsAlone,
} from "./primitive-deployed.js";
import { computedLiteral, constantLiteral } from "./primitive-literals.js";

/**
 * The primitive form: an expression of the core functions alone, as Vespa's playground shows it. It is built from the
 * core graph, where all functions are expanded and all names of values resolved, and reads back to the same value; only
 * random numbers are drawn anew. What the graph shares is written wherever it is used. A text that is to be deployed in a rank profile
 * has the same value there, too.
 */
export function primitiveText(node: Node, isDeployed = false): string {
  const parts = partsOf(node);
  if (parts > mostParts)
    throw new SphexError([problem("limit/written", node.span, { parts, limit: mostParts })]);
  return printExpression(
    write(node, bindersOf([[]], isDeployed, isDeployed ? deployedNumbers(node) : undefined)),
  );
}

/** More than can be read, and less than fills the memory. */
const mostParts = 1_000_000;

/** How many nodes and cells there would be to write. */
function partsOf(root: Node): number {
  const below = (node: Node): readonly Node[] => {
    const lambda = lambdaOf(node);
    return lambda === undefined ? visit(inputsOf, node) : [...visit(inputsOf, node), lambda.body];
  };
  return fromInputs<number>(root, new Map(), below, (node, countOf) => {
    const own = node.op === "constant" ? node.value.data.length : 1;
    return below(node).reduce((sum, each) => sum + countOf(each), own);
  });
}

/** The names of the parameters of the enclosing binders, by level and position, and what was written within them. */
interface Binders {
  readonly names: readonly (readonly string[])[];
  readonly written: Map<Node, Expression>;
  /** Where the text is to be deployed, and not in a lambda. */
  readonly numbers: DeployedNumbers | undefined;
  /** Whether the text is to be deployed. */
  readonly isDeployed: boolean;
}

const bindersOf = (names: Binders["names"], isDeployed: boolean, numbers?: DeployedNumbers): Binders => ({
  names,
  written: new Map(),
  numbers,
  isDeployed,
});

/** A node as an expression; those that share it share the expression. */
function write(root: Node, binders: Binders): Expression {
  const operands = (node: Node): readonly Node[] => operandsOf(node, binders);
  return fromInputs(root, binders.written, operands, (node) => visit(expressions, node, binders));
}

/** The nodes that are written within the same binders. */
const operandsOf = (node: Node, { numbers, isDeployed }: Binders): readonly Node[] => {
  if (node.op === "generate") return [];
  if (node.op === "apply") {
    const { first, links } = chainOf(node, numbers);
    return links.length > 1 ? [first, ...links.map(([, operand]) => operand)] : node.arguments;
  }
  if (node.op === "slice") return [wholeSlice(node, numbers).tensor, ...visit(inputsOf, node)];
  if (node.op !== "select") return visit(inputsOf, node);
  const branch = numbers && deployedBranch(node, numbers);
  return branch === undefined ? [node.condition, ...branches(node, isDeployed)] : [branch];
};

/** A call of a function of the core. */
const call = synthetic.nameOf;

const expressions: Table<[Binders], Expression> = {
  constant: (node, { numbers }) => constant(node, numbers),
  input: ({ name }) => parseExpression({ name: "input", text: name }).tree ?? synthetic.nameOf(name),
  parameter: ({ level, position }, { names }) => synthetic.nameOf(element(element(names, level), position)),
  random: ({ type }) =>
    type.isScalar
      ? call("random", [{ kind: "number", span: synthetic.syntheticSpan, value: 1, text: "1.0" }])
      : {
          kind: "shape",
          span: synthetic.syntheticSpan,
          word: synthetic.wordOf("random"),
          type: synthetic.typeText(type),
        },
  host: (node, binders) =>
    call(
      node.function.name,
      node.arguments.map((each) => write(each, binders)),
    ),
  apply: (node, binders) => {
    const { numbers, isDeployed } = binders;
    const { first, links } = chainOf(node, numbers);
    if (links.length > 1)
      return synthetic.chain(
        write(first, binders),
        links.map(([symbol, operand]) => [symbol, write(operand, binders)]),
      );
    const operands = node.arguments.map((each) => write(each, binders));
    const deployed = numbers && deployedOperation(node, operands, numbers);
    return (
      deployed ??
      (isDeployed ? contentForm(node.function, operands) : undefined) ??
      applied(node.function, operands)
    );
  },
  select: (node, binders) => {
    const branch = binders.numbers && deployedBranch(node, binders.numbers);
    if (branch !== undefined) return write(branch, binders);
    return call(
      "if",
      [node.condition, ...branches(node, binders.isDeployed)].map((each) => write(each, binders)),
    );
  },
  map: ({ tensor, lambda }, binders) => call("map", [write(tensor, binders), written(lambda, binders)]),
  reduce: ({ tensor, aggregator, over }, binders) =>
    call("reduce", [
      write(tensor, binders),
      synthetic.nameOf(spellings[aggregator] ?? aggregator),
      ...over.map((each) => synthetic.nameOf(each)),
    ]),
  join: (node, binders) => call("join", [...sides(node, binders), written(node.lambda, binders)]),
  merge: (node, binders) => call("merge", [...sides(node, binders), written(node.lambda, binders)]),
  rename: ({ tensor, from, to }, binders) =>
    call("rename", [write(tensor, binders), synthetic.namesOf(from), synthetic.namesOf(to)]),
  concat: (node, binders) => call("concat", [...sides(node, binders), synthetic.nameOf(node.along)]),
  generate: (node, binders) => generated(node, binders),
  slice: (node, binders) => {
    const { tensor, at } = wholeSlice(node, binders.numbers);
    return synthetic.slice(
      write(tensor, binders),
      at.map((each) => binding(each, tensor, binders)),
    );
  },
  literal: (node, binders) => computedLiteral(node, (value) => write(value, binders)),
  cast: (node, binders) => {
    const { tensor, type } = node;
    refuseUnbinding(node);
    return tensor.type.cellType === type.cellType
      ? write(tensor, binders)
      : call("cell_cast", [write(tensor, binders), synthetic.nameOf(type.cellType)]);
  },
  order: ({ tensor, descending }, binders) =>
    call("cell_order", [write(tensor, binders), synthetic.nameOf(descending ? "max" : "min")]),
  mapSubspaces: ({ tensor, lambda }, binders) =>
    call("map_subspaces", [write(tensor, binders), written(lambda, binders)]),
  filterSubspaces: ({ tensor, lambda }, binders) =>
    call("filter_subspaces", [write(tensor, binders), written(lambda, binders)]),
};

const sides = (node: NodeOf<"join" | "merge" | "concat">, binders: Binders): Expression[] => [
  write(node.left, binders),
  write(node.right, binders),
];

/** A slice of slices as one, since Vespa reads one slice behind a tensor. */
function wholeSlice(
  node: NodeOf<"slice">,
  numbers: DeployedNumbers | undefined,
): Pick<NodeOf<"slice">, "tensor" | "at"> {
  const deployed = (tensor: Node): Node => (numbers === undefined ? tensor : deployedNode(tensor, numbers));
  let at = node.at;
  let tensor = deployed(node.tensor);
  // What has no row left does not know its open sizes, which one slice would take from the tensor.
  for (
    ;
    tensor.op === "slice" && (tensor.type.isBound || tensor.type.isDense);
    tensor = deployed(tensor.tensor)
  )
    at = [...tensor.at, ...at];
  return { tensor, at };
}

/** No text takes the size from a type, and a merge with what is longer would end elsewhere. */
function refuseUnbinding({ tensor, type, span }: NodeOf<"cast">): void {
  const isLost = type.indexed.some(
    ({ name, size }) => size === undefined && tensor.type.dimension(name)?.size !== undefined,
  );
  if (isLost && tensor.op !== "constant")
    throw new SphexError([problem("written/unbound", span, { type, bound: tensor.type })]);
}

/** The branches without the casts to the type of both, as far as `if` adds the same ones to what remains: content nodes add none. */
function branches({ yes, no, type }: NodeOf<"select">, isDeployed: boolean): readonly [Node, Node] {
  if (isDeployed) return [yes, no];
  const bare = (node: Node): Node => (node.op === "cast" ? node.tensor : node);
  const forms: readonly (readonly [Node, Node])[] = [
    [bare(yes), bare(no)],
    [bare(yes), no],
    [yes, bare(no)],
  ];
  return forms.find(([one, other]) => branchType(one.type, other.type).equals(type)) ?? [yes, no];
}

/** A lambda sees only its own parameters. */
function written({ parameters, body }: Lambda, { isDeployed }: Binders) {
  const names = ["a", "b"].slice(0, parameters.length);
  return synthetic.lambdaOf(names, write(body, bindersOf([[], names], isDeployed)));
}

/** What the dialects' own functions are called in programs. */
const spellings: Readonly<Record<string, string>> = { vespaMax: "max", vespaMin: "min" };

function applied(name: ScalarName, operands: readonly Expression[]): Expression {
  const [left, right] = operands;
  const symbol = symbolOf(name);
  if (symbol !== undefined && left !== undefined && right !== undefined)
    return synthetic.operation(left, symbol, right);
  if (left !== undefined && name === prefixes["!"]) return synthetic.prefix("!", left);
  if (left !== undefined && name === prefixes["-"]) return synthetic.prefix("-", left);
  return call(spellings[name] ?? name, operands);
}

/** Operations that are written in one chain: what the first is of, and each with its right side. */
function chainOf(
  node: NodeOf<"apply">,
  numbers: DeployedNumbers | undefined,
): {
  first: Node;
  links: readonly (readonly [OperatorSymbol, Node])[];
} {
  const links: (readonly [OperatorSymbol, Node])[] = [];
  let first: Node = node;
  while (first.op === "apply") {
    const symbol: OperatorSymbol | undefined = symbolOf(first.function);
    const [left, right]: readonly Node[] = first.arguments;
    const next = links.at(-1)?.[0] ?? symbol;
    if (symbol === undefined || next === undefined || left === undefined || right === undefined) break;
    if (!synthetic.isChained(symbol, next) || (numbers && standsAlone(first, numbers))) break;
    links.push([symbol, right]);
    first = left;
  }
  return { first, links: links.reverse() };
}

/** A number, or the text that it is the hash of, where the program wrote one; or a tensor, whose cells tell its sizes. */
function constant({ value, span }: NodeOf<"constant">, numbers: DeployedNumbers | undefined): Expression {
  const hasNoSize = value.type.indexed.some(({ size }, at) => size === undefined && value.sizes[at] === 0);
  if (hasNoSize)
    throw new SphexError([problem("written/unbound", span, { type: value.type, bound: value.type })]);
  if (!value.type.isScalar) return constantLiteral(value);
  const number = value.at(0);
  const text = textIn(span);
  const tree = /^["']/.test(text) ? parseExpression({ name: "text", text }).tree : undefined;
  if (numbers !== undefined && isInfinite(number)) return deployedInfinity(number);
  return tree?.kind === "text" && textAsNumber(tree.value) === number ? tree : synthetic.numberOf(number);
}

/** A label as it is; an index to compute is no number as written, which would have to be within the size. */
function binding({ dimension, label }: Selection, tensor: Node, binders: Binders): SliceBinding {
  const existing = tensor.type.dimension(dimension);
  const named = { dimension: synthetic.wordOf(dimension) };
  const text = label instanceof Object && label.op === "constant" ? wholeLabel(label.value.at(0)) : label;
  if (typeof text === "string") {
    if (existing?.kind === "mapped") {
      const quoted = !/^[A-Za-z_]\w*$/.test(text);
      return { ...named, selector: { kind: "label", label: synthetic.wordOf(text), quoted } };
    }
    const index = Number(text);
    const isWithin =
      index >= 0 && index < (existing?.size ?? Number.POSITIVE_INFINITY) && text === `${index}`;
    return {
      ...named,
      selector: {
        kind: "value",
        value: isWithin ? synthetic.numberOf(index) : synthetic.computed(synthetic.numberOf(index)),
      },
    };
  }
  return { ...named, selector: { kind: "value", value: synthetic.computed(write(text, binders)) } };
}

/**
 * A generated tensor. Where its body refers to something outside that has the name of a dimension, which only the expansion of
 * a function can cause, the dimension is renamed afterwards.
 */
function generated(
  { type, level, body }: NodeOf<"generate">,
  { names, numbers, isDeployed }: Binders,
): Expression {
  // What was in a lambda, where a derivative has it outside, has no binder at some levels around it.
  const outer = Array.from({ length: level }, (_, at) => names[at] ?? []);
  const taken = namesIn(body, outer);
  const fresh = type.names.map((name) => {
    let free = name;
    for (let at = 1; taken.has(free) || (free !== name && type.names.includes(free)); at++)
      free = `${name}_${at}`;
    return free;
  });
  const renamed = new Map(type.names.map((name, at) => [name, fresh[at] ?? name]));
  const text = synthetic.typeText(type);
  const dimensions = text.dimensions.map((each) => ({
    ...each,
    name: synthetic.wordOf(renamed.get(each.name.text) ?? each.name.text),
  }));
  const tensor: Expression = {
    kind: "generate",
    span: synthetic.syntheticSpan,
    type: { ...text, dimensions },
    body: write(body, bindersOf([...outer, fresh], isDeployed, numbers)),
  };
  const changed = type.names.filter((name) => renamed.get(name) !== name);
  if (changed.length === 0) return tensor;
  return call("rename", [
    tensor,
    synthetic.namesOf(changed.map((name) => renamed.get(name) ?? name)),
    synthetic.namesOf(changed),
  ]);
}

/** The names of inputs and of parameters of these outer binders that a body refers to. */
function namesIn(body: Node, outer: readonly (readonly string[])[]): ReadonlySet<string> {
  const taken = new Set<string>();
  const visited = new Set<Node>();
  const open = [body];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (visited.has(node)) continue;
    visited.add(node);
    const name = node.op === "parameter" ? outer[node.level]?.[node.position] : undefined;
    if (name !== undefined) taken.add(name);
    if (node.op === "input") taken.add(node.name);
    append(open, visit(inputsOf, node));
  }
  return taken;
}
