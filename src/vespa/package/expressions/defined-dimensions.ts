import { isTensorArgument } from "../../../language/check/calls/tensor-arguments.js";
import type { DeployedEnvironment } from "../../../language/check/deployment/deployment.js";
import { bareWord, type NameDefinition } from "../../../language/check/names.js";
import { Frame, Scope } from "../../../language/check/scope.js";
import type { Argument, Reference } from "../../../language/syntax/tree.js";

/** The names of dimensions. */
type Dimensions = ReadonlySet<string>;

/** What a name stands for within a function that is called. */
interface Passed {
  readonly dimensions: Dimensions;
  /** The name that was passed, where it was one: it may be that of a dimension. */
  readonly word: string | undefined;
}

interface CallEnvironment extends DeployedEnvironment {
  readonly constants: ReadonlyMap<string, unknown>;
  readonly passed: ReadonlyMap<string, Passed>;
  readonly depth: number;
}

const none: Dimensions = new Set();

/** Deeper calls have no dimensions that anybody asked for. */
const deepest = 50;

/**
 * The dimensions that an expression of a function of a rank profile has where the function is defined: its parameters are numbers there, and what
 * is called has its own for what is passed. So Vespa decides what `max(sum(q * t, x), y)` is.
 */
export function definedDimensions(
  tree: Argument,
  environment: DeployedEnvironment,
  constants: ReadonlyMap<string, unknown>,
): Dimensions {
  return dimensionsIn(tree, { ...environment, constants, passed: new Map(), depth: 0 });
}

function dimensionsIn(tree: Argument, site: CallEnvironment): Dimensions {
  switch (tree.kind) {
    case "reference":
      return ofReference(tree, site);
    case "prefixed":
      return dimensionsIn(tree.operand, site);
    case "chain": {
      const operands = tree.rest.flatMap((each) => (each.kind === "operation" ? [each.operand] : []));
      return union([tree.first, ...operands], site);
    }
    case "switch":
      return union([...tree.cases.map(({ result }) => result), tree.otherwise], site);
    case "sliced": {
      const taken = tree.slices.flatMap((each) =>
        each.kind === "address" ? each.bindings.map(({ dimension }) => dimension.text) : [],
      );
      return without(dimensionsIn(tree.tensor, site), taken);
    }
    case "generate":
    case "literal":
    case "shape":
      return new Set(tree.type.dimensions.map(({ name: { text } }) => site.passed.get(text)?.word ?? text));
    default:
      return none;
  }
}

function ofReference(tree: Reference, site: CallEnvironment): Dimensions {
  const { name, arguments: list, outputs } = tree;
  const { names, constants } = site;
  if (list === undefined && outputs.length === 0) {
    const passed = site.passed.get(name.text);
    if (passed !== undefined) return passed.dimensions;
    const isValue = names.own(name.text) !== undefined || constants.has(name.text);
    return site.scope.find(name.text) !== undefined || !isValue ? none : ofFeature(tree, site);
  }
  if (list === undefined || list.length === 0 || outputs.length > 0) return ofFeature(tree, site);
  const own = names.own(name.text);
  if (own?.kind === "function") return ofCall(own, list, site);
  if (own === undefined && Object.hasOwn(ofBuiltins, name.text))
    return ofBuiltins[name.text]?.(list, site) ?? none;
  const composite = own === undefined ? names.outer?.own(name.text) : undefined;
  if (composite?.kind === "function") return ofCall(composite, list, site);
  return isTensorArgument(name.text, 0) ? union(list, site) : ofFeature(tree, site);
}

/** A feature or a value of the profile, which has a type; what a query has of a parameter is a number. */
function ofFeature(tree: Reference, { typeOf, scope, passed }: CallEnvironment): Dimensions {
  const words = (tree.arguments ?? []).flatMap((each) => bareWord(each)?.text ?? []);
  const isOfParameter = words.some((each) => passed.has(each) || scope.find(each) !== undefined);
  if (isOfParameter && tree.name.text === "query") return none;
  return new Set(typeOf(tree, scope)?.dimensions.map(({ name }) => name));
}

function ofCall(
  { parameters, tree }: Extract<NameDefinition, { kind: "function" }>,
  list: readonly Argument[],
  site: CallEnvironment,
): Dimensions {
  if (site.depth >= deepest) return none;
  const passed = parameters.flatMap(({ text }, at): [string, Passed][] => {
    const argument = list[at];
    return argument === undefined
      ? []
      : [[text, { dimensions: dimensionsIn(argument, site), word: wordIn(argument, site) }]];
  });
  return dimensionsIn(tree.body, {
    ...{ ...site, scope: new Scope(Frame.outermost(), 0) },
    ...{ passed: new Map(passed), depth: site.depth + 1 },
  });
}

/** The name that an argument is, or that was passed for it. */
function wordIn(argument: Argument | undefined, { passed }: CallEnvironment): string | undefined {
  const word = argument && bareWord(argument)?.text;
  return word === undefined ? undefined : (passed.get(word)?.word ?? word);
}

const union = (trees: readonly Argument[], site: CallEnvironment): Dimensions =>
  new Set(trees.flatMap((each) => [...dimensionsIn(each, site)]));

const without = (dimensions: Dimensions, taken: readonly (string | undefined)[]): Dimensions =>
  new Set([...dimensions].filter((each) => !taken.includes(each)));

type OfList = (list: readonly Argument[], site: CallEnvironment) => Dimensions;

const first: OfList = (list, site) => union(list.slice(0, 1), site);

const reducedFrom =
  (from: number): OfList =>
  (list, site) =>
    list.length === from
      ? none
      : without(
          first(list, site),
          list.slice(from).map((each) => wordIn(each, site)),
        );

/** Of two numbers, or along the dimension that the second is. */
const extreme: OfList = (list, site) => {
  const word = wordIn(list[1], site);
  const isReduction = list.length !== 2 || (word !== undefined && first(list, site).has(word));
  return isReduction ? reducedFrom(1)(list, site) : union(list, site);
};

const renamed: OfList = ([tensor, from, to], site) => {
  const names = (argument: Argument | undefined): readonly (string | undefined)[] =>
    argument?.kind === "names" ? argument.names.map(({ text }) => text) : [wordIn(argument, site)];
  const [before, after] = [names(from), names(to)];
  const dimensions = tensor === undefined ? none : dimensionsIn(tensor, site);
  return new Set(Array.from(dimensions, (each) => after[before.indexOf(each)] ?? each));
};

const concatenated: OfList = (list, site) => {
  const along = wordIn(list[2], site);
  return new Set([...union(list.slice(0, 2), site), ...(along === undefined ? [] : [along])]);
};

const both: OfList = (list, site) => union(list.slice(0, 2), site);

/** The functions whose dimensions are not those of all arguments. */
// biome-ignore format: a table
const ofBuiltins: Readonly<Record<string, OfList>> = {
  map: first, map_subspaces: first, filter_subspaces: first, cell_cast: first, cell_order: first, unpack_bits: first,
  argmax: first, argmin: first, join: both, merge: both, concat: concatenated, rename: renamed,
  if: (list, site) => union(list.slice(1, 3), site),
  reduce: reducedFrom(2), sum: reducedFrom(1), avg: reducedFrom(1), count: reducedFrom(1), prod: reducedFrom(1),
  median: reducedFrom(1), max: extreme, min: extreme,
};
