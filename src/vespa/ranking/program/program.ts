import type { CheckedProgram, DeclaredTensor } from "../../../language/check/statements/program.js";
import { inputsOf, type Node, visit } from "../../../language/core/operations.js";
import { type Problem, SphexError } from "../../../language/source/problem.js";
import { TensorType } from "../../../language/types/type.js";
import { Program } from "../../../program/program.js";
import { checkQuantities } from "./expressions.js";
import type { ComputedFeature, FeatureUse, NormalizerUse, ProfileOptions, Quantity } from "./quantities.js";

/**
 * A rank profile as a program: each phase, function and listed feature is a named value of it, and each feature that an
 * expression mentions an input. Compiled once; what is asked of it decides what of it runs.
 */
export class ProfileProgram {
  readonly quantities: readonly Quantity[];
  readonly uses: ReadonlyMap<string, FeatureUse>;
  readonly normalizers: readonly NormalizerUse[];
  /** Features that are a part of it, by canonical name. */
  readonly computed: ReadonlyMap<string, ComputedFeature>;
  /** Where it computes something else than is written, as Vespa does. */
  readonly deploymentWarnings: readonly Problem[];
  private readonly checked: CheckedProgram;
  private readonly programs = new Map<string, Program>();
  private readonly needed = new Map<string, readonly string[]>();

  /** @throws SphexError with what is wrong with the expressions. */
  constructor(private readonly of: ProfileOptions) {
    const { checked, uses, normalizers, quantities, computed } = checkQuantities(of);
    this.computed = computed;
    const errors = checked.problems.filter((each) => each.isError && !computedAnyway.has(each.code));
    if (errors.length > 0) throw new SphexError(errors);
    this.deploymentWarnings = checked.problems.filter(({ code }) => deploymentCodes.has(code));
    const features = [...uses.values()].flatMap(({ call, type }): [string, DeclaredTensor][] =>
      type === undefined ? [] : [[call.name, { role: "input", type }]],
    );
    const normalized = normalizers.map(({ name }): [string, DeclaredTensor] => [name, normalizedInput]);
    this.checked = { ...checked, declared: new Map([...checked.declared, ...features, ...normalized]) };
    this.uses = uses;
    this.normalizers = normalizers;
    this.quantities = quantities.map((each) => ({ ...each, type: checked.values.get(each.key)?.type }));
  }

  /** The type of an input, where it is known without a value. */
  typeOf(name: string): TensorType | undefined {
    if (this.normalizerOf(name) !== undefined) return TensorType.scalar;
    return this.uses.get(name)?.type ?? this.of.overrides.get(name);
  }

  /** The normalizer that an input is; undefined where it is another feature. */
  normalizerOf(name: string): NormalizerUse | undefined {
    return this.normalizers.find((each) => each.name === name);
  }

  /** The names of all inputs that anything needs. */
  get inputs(): readonly string[] {
    return [...new Set(this.quantities.flatMap(({ key }) => this.inputsOf(key) ?? []))];
  }

  /** Whether any value depends on where its document is in the list of hits. */
  get needsList(): boolean {
    return this.normalizers.length > 0 || ofLists.some((name) => this.uses.has(name));
  }

  /** The names of the inputs that a value needs; nothing where it has no type. */
  inputsOf(key: string): readonly string[] | undefined {
    const node = this.checked.values.get(key);
    if (node === undefined) return undefined;
    const names = this.needed.get(key) ?? inputNames(node);
    this.needed.set(key, names);
    return names;
  }

  /** The names of the inputs that a computed feature needs. */
  inputsOfComputed({ node }: ComputedFeature): readonly string[] {
    return inputNames(node);
  }

  /** The functions that a value is made of, those that it uses first. */
  functionsIn(key: string): readonly Quantity[] {
    const root = this.checked.values.get(key);
    const below = root === undefined ? new Set<Node>() : nodesBelow(root);
    return this.quantities.filter((each) => {
      const node = this.checked.values.get(each.key);
      return each.kind === "function" && each.key !== key && node !== undefined && below.has(node);
    });
  }

  /** A program whose results are the values of these keys, in their order. */
  programOf(keys: readonly string[]): Program {
    const name = JSON.stringify(keys);
    const cached = this.programs.get(name);
    if (cached !== undefined) return cached;
    const results = keys.flatMap((key) => {
      const node = this.checked.values.get(key);
      return node === undefined ? [] : [{ node, span: node.span, name: key }];
    });
    const program = new Program(
      { ...this.checked, results, problems: [] },
      { ...this.of.options, dialect: "vespa" },
    );
    this.programs.set(name, program);
    return program;
  }
}

/**
 * Vespa has no gradients: what is differentiated here is not for it. And what content nodes refuse of choices has been told, or is
 * computed elsewhere.
 */
const computedAnyway = new Set<string>(["portability/gradient", "portability/branches"]);

/** Warnings about what Vespa makes of expressions when it deploys them. */
const deploymentCodes = new Set<string>([
  "portability/constants",
  "portability/zero",
  "portability/sign",
  "portability/infinity",
  "portability/inline",
]);

/** Features that a list of hits has. */
const ofLists = ["firstPhaseRank", "firstPhaseMax"];

const normalizedInput: DeclaredTensor = { role: "input", type: TensorType.scalar };

function inputNames(root: Node): string[] {
  const names = [...nodesBelow(root)].flatMap((node) => (node.op === "input" ? [node.name] : []));
  return [...new Set(names)].sort();
}

function nodesBelow(root: Node): Set<Node> {
  const visited = new Set<Node>([root]);
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const next of visit(inputsOf, node)) {
      if (visited.has(next)) continue;
      visited.add(next);
      pending.push(next);
    }
  }
  return visited;
}
