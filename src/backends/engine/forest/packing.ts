import type { Node, NodeOf } from "../../../language/core/operations.js";
import { entry } from "../../../language/values/element.js";
import { type Condition, conditionOf } from "./condition.js";

/**
 * A forest in arrays. A decision asks whether a feature is below a threshold, and has for either answer where to continue:
 * to another decision, or, as a negative number, to a leaf. Trees lie one behind the other.
 */
export interface PackedForest {
  readonly kind: "thresholds";
  readonly decisions: number;
  readonly feature: Int32Array;
  readonly threshold: Float64Array;
  /** Two for each decision: where it is not below, and where it is. */
  readonly next: Int32Array;
  readonly leaves: Float64Array;
  /** Where each term begins. */
  readonly roots: Int32Array;
  /** The features, in their order; of some it is the number with the other sign. */
  readonly features: readonly Feature[];
  /** Leaves whose numbers must be computed first. */
  readonly computedLeaves: readonly { readonly leaf: number; readonly node: Node }[];
  readonly dependencies: readonly Node[];
}

export interface Feature {
  readonly node: Node;
  readonly isNegated: boolean;
}

/** A decision, or ~ the number of a leaf. */
type Target = number;

type Select = NodeOf<"select">;

export class ForestBuilder {
  private readonly feature: number[] = [];
  private readonly threshold: number[] = [];
  private readonly next: number[] = [];
  private readonly leaves: number[] = [];
  private readonly roots: Target[] = [];
  private readonly features: Feature[] = [];
  private readonly computedLeaves: { leaf: number; node: Node }[] = [];
  /** Equal branches are one, wherever they grow. */
  private readonly targets = new Map<Node, Target>();
  private readonly featureIndexes = new Map<Node, [plain: number | undefined, negated: number | undefined]>();

  constructor(private readonly isTree: (term: Node) => boolean) {}

  /** How many features and computed leaves there are. */
  get numbers(): number {
    return this.features.length + this.computedLeaves.length;
  }

  /** The choices that were packed. */
  *choices(): Generator<Node> {
    for (const [node, target] of this.targets) if (target >= 0) yield node;
  }

  get decisions(): number {
    return this.feature.length;
  }

  /** How many numbers the plan would compute before a walk, one by one. */
  get computations(): number {
    const nodes = [...this.features, ...this.computedLeaves].map(({ node }) => node);
    return nodes.filter(({ op }) => op === "apply" || op === "select").length;
  }

  /** Adds a term: a tree, or a number that is computed elsewhere. */
  addTerm(term: Node): void {
    const open: Select[] = [];
    this.roots.push(term.op === "select" && this.isTree(term) ? this.targetOf(term, open) : this.leaf(term));
    for (let at = 0; at < open.length; at++) this.fillDecision(open[at] as Select, open); // it is there
  }

  finish(): PackedForest {
    const dependencies = new Set([...this.features, ...this.computedLeaves].map(({ node }) => node));
    return {
      kind: "thresholds",
      decisions: this.decisions,
      feature: Int32Array.from(this.feature),
      threshold: Float64Array.from(this.threshold),
      next: Int32Array.from(this.next),
      leaves: Float64Array.from(this.leaves),
      roots: Int32Array.from(this.roots),
      features: this.features,
      computedLeaves: this.computedLeaves,
      dependencies: [...dependencies],
    };
  }

  /** The target of a branch; a new one is queued. */
  private targetOf(node: Node, open: Select[]): Target {
    const existing = this.targets.get(node);
    if (existing !== undefined) return existing;
    if (node.op !== "select") return this.leaf(node);
    const target = this.decision();
    this.targets.set(node, target);
    open.push(node);
    return target;
  }

  private fillDecision(node: Select, open: Select[]): void {
    const [yes, no] = [this.targetOf(node.yes, open), this.targetOf(node.no, open)];
    this.emit(entry(this.targets, node), conditionOf(node.condition), yes, no);
  }

  /** Makes decisions of a condition, from one that is there already. */
  private emit(at: Target, condition: Condition, yes: Target, no: Target): void {
    switch (condition.kind) {
      case "below":
        this.feature[at] = this.featureIndex(condition.node, condition.isNegated);
        this.threshold[at] = condition.threshold;
        this.next[2 * at] = no;
        this.next[2 * at + 1] = yes;
        return;
      case "not":
        return this.emit(at, condition.of, no, yes);
      case "and":
      case "or": {
        const second = this.decision();
        this.emit(second, condition.second, yes, no);
        return condition.kind === "and"
          ? this.emit(at, condition.first, second, no)
          : this.emit(at, condition.first, yes, second);
      }
    }
  }

  private decision(): Target {
    this.threshold.push(0);
    this.next.push(0, 0);
    return this.feature.push(0) - 1;
  }

  private leaf(node: Node): Target {
    const existing = this.targets.get(node);
    if (existing !== undefined) return existing;
    const leaf = this.leaves.push(node.op === "constant" ? node.value.at(0) : 0) - 1;
    if (node.op !== "constant") this.computedLeaves.push({ leaf, node });
    this.targets.set(node, ~leaf);
    return ~leaf;
  }

  private featureIndex(node: Node, isNegated: boolean): number {
    const existing = this.featureIndexes.get(node) ?? [undefined, undefined];
    this.featureIndexes.set(node, existing);
    const side = isNegated ? 1 : 0;
    const index = existing[side] ?? this.features.push({ node, isNegated }) - 1;
    existing[side] = index;
    return index;
  }
}
