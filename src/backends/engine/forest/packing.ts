import type { Node, NodeOf } from "../../../language/core/operations.js";
import { type Condition, conditionOf } from "./condition.js";
import { isEager } from "./eager.js";

/**
 * A forest in arrays. A decision asks whether a feature is below a threshold, and says for either answer where to go on:
 * to another decision, or, as a negative number, to a leaf. Trees lie one behind the other.
 */
export interface Packed {
  readonly feature: Int32Array;
  readonly threshold: Float64Array;
  /** Two for each decision: where it is not below, and where it is. */
  readonly next: Int32Array;
  readonly leaves: Float64Array;
  /** Where each term begins. */
  readonly roots: Int32Array;
  /** The features, in their order; of some it is the number with the other sign. */
  readonly features: readonly Feature[];
  /** Leaves whose numbers must be found first. */
  readonly given: readonly { readonly leaf: number; readonly node: Node }[];
  readonly needs: readonly Node[];
}

export interface Feature {
  readonly node: Node;
  readonly isNegated: boolean;
}

/** A decision, or ~ the number of a leaf. */
type Place = number;

type Select = NodeOf<"select">;

export class Packing {
  private readonly feature: number[] = [];
  private readonly threshold: number[] = [];
  private readonly next: number[] = [];
  private readonly leaves: number[] = [];
  private readonly roots: Place[] = [];
  private readonly features: Feature[] = [];
  private readonly given: { leaf: number; node: Node }[] = [];
  /** Equal branches are one, wherever they grow. */
  private readonly places = new Map<Node, Place>();
  private readonly featurePlaces = new Map<Node, [plain: number | undefined, negated: number | undefined]>();

  get decisions(): number {
    return this.feature.length;
  }

  /** Adds a term: a tree, or a number that somebody else finds. */
  plant(term: Node): void {
    const open: Select[] = [];
    this.roots.push(isTree(term) ? this.place(term, open) : this.leaf(term));
    for (let at = 0; at < open.length; at++) this.grow(open[at] as Select, open); // it is there
  }

  finish(): Packed {
    const needs = new Set([...this.features, ...this.given].map(({ node }) => node));
    return {
      feature: Int32Array.from(this.feature),
      threshold: Float64Array.from(this.threshold),
      next: Int32Array.from(this.next),
      leaves: Float64Array.from(this.leaves),
      roots: Int32Array.from(this.roots),
      features: this.features,
      given: this.given,
      needs: [...needs],
    };
  }

  /** Where a branch is; one that is new is put off until there is room for it. */
  private place(node: Node, open: Select[]): Place {
    const known = this.places.get(node);
    if (known !== undefined) return known;
    if (node.op !== "select") return this.leaf(node);
    const place = this.decision();
    this.places.set(node, place);
    open.push(node);
    return place;
  }

  private grow(node: Select, open: Select[]): void {
    const [yes, no] = [this.place(node.yes, open), this.place(node.no, open)];
    this.decide(this.places.get(node) ?? 0, conditionOf(node.condition), yes, no);
  }

  /** Makes decisions of a condition, from one that is there already. */
  private decide(at: Place, condition: Condition, yes: Place, no: Place): void {
    switch (condition.kind) {
      case "below":
        this.feature[at] = this.featurePlace(condition.node, condition.isNegated);
        this.threshold[at] = condition.threshold;
        this.next[2 * at] = no;
        this.next[2 * at + 1] = yes;
        return;
      case "not":
        return this.decide(at, condition.of, no, yes);
      case "and":
      case "or": {
        const second = this.decision();
        this.decide(second, condition.second, yes, no);
        return condition.kind === "and"
          ? this.decide(at, condition.first, second, no)
          : this.decide(at, condition.first, yes, second);
      }
    }
  }

  private decision(): Place {
    this.threshold.push(0);
    this.next.push(0, 0);
    return this.feature.push(0) - 1;
  }

  private leaf(node: Node): Place {
    const known = this.places.get(node);
    if (known !== undefined) return known;
    const leaf = this.leaves.push(node.op === "constant" ? node.value.at(0) : 0) - 1;
    if (node.op !== "constant") this.given.push({ leaf, node });
    this.places.set(node, ~leaf);
    return ~leaf;
  }

  private featurePlace(node: Node, isNegated: boolean): number {
    const known = this.featurePlaces.get(node) ?? [undefined, undefined];
    this.featurePlaces.set(node, known);
    const side = isNegated ? 1 : 0;
    const place = known[side] ?? this.features.push({ node, isNegated }) - 1;
    known[side] = place;
    return place;
  }
}

/** Whether all that a choice depends on is quickly known, so that nothing is lost by finding it in any case. */
const isTree = (node: Node): node is Select => node.op === "select" && isEager(node);
