import type { Lambda, Node } from "../core/operations.js";
import { BranchesOfNodes, type ChoiceAt, type Context, isBranch } from "./branches.js";
import { type Calculus, hasAllCells } from "./calculus.js";
import { LostNames } from "./lost-names.js";

/**
 * The functions of a condition and a cell that `where` and the choices in generators are made of: they take the cell where the condition
 * is not 0, or where it is, and are 0 elsewhere.
 */
const choices = [
  { text: "if(x != 0, y, 0)", isYes: true },
  { text: "if(x != 0, 0, y)", isYes: false },
  { text: "if(x != 0, y, -0)", isYes: true },
  { text: "if(x != 0, -0, y)", isYes: false },
] as const;

/** Whether a lambda of a condition and a cell takes the cell by the condition, and where it does. */
export function cellChoice({ body }: Lambda, calculus: Calculus): (typeof choices)[number] | undefined {
  return choices.find(({ text }) => body === calculus.lambda(text).body);
}

/**
 * In which cells anything flows back, for nodes that are used within choices between cells alone. In the others an adjoint is 0, and
 * so is what flows on: a factor that is infinite there, as a quotient by 0 that was not chosen, must not make NaN of it.
 */
export class CellChoices {
  private readonly branches: BranchesOfNodes<Node>;
  private readonly lost: LostNames;
  private readonly masks = new Map<Context<Node>, Map<string, Node | undefined>>();

  /** The nodes between a value and `x`, each after its own inputs. */
  constructor(
    order: readonly Node[],
    x: Node,
    private readonly calculus: Calculus,
  ) {
    this.branches = new BranchesOfNodes(order, x, (user, position): ChoiceAt<Node> | undefined => {
      if (user.op !== "join" || position === 0) return undefined;
      const choice = cellChoice(user.lambda, calculus);
      return choice && { choice: user.left, isYes: choice.isYes };
    });
    this.lost = new LostNames(order, x, this.branches);
  }

  /** A factor of what flows back from a node, and 0 in cells from which nothing does, as far as it has their dimensions. */
  guarded(node: Node, factor: Node): Node {
    if (factor.type.isScalar) return factor;
    const mask = this.mask(this.branches.of(node), node);
    const isShared = (name: string): boolean => factor.type.dimension(name) !== undefined;
    if (mask === undefined || !mask.type.names.some(isShared) || !isOfOneSize(mask, factor)) return factor;
    const others = mask.type.names.filter((name) => !isShared(name));
    return this.calculus.both(this.calculus.reduced(mask, "max", others), factor, choices[0].text);
  }

  /**
   * 1 where one of the branches is taken, in the dimensions that the node shares with their conditions, otherwise 0; nothing where that is
   * so everywhere.
   */
  private mask(context: Context<Node>, node: Node): Node | undefined {
    if (context === undefined) return undefined;
    const lost = this.lost.of(node);
    const names = this.lost.branchesIn(context).map((each) => [...(lost.get(each) ?? [])].sort());
    const key = JSON.stringify(names);
    const masks = this.masks.get(context) ?? new Map<string, Node | undefined>();
    this.masks.set(context, masks);
    if (!masks.has(key)) masks.set(key, this.newMask(context, node));
    return masks.get(key);
  }

  private newMask(context: NonNullable<Context<Node>>, node: Node): Node | undefined {
    const { calculus } = this;
    if (isBranch(context)) {
      const { choice, isYes, outer } = context;
      const taken = calculus.each(choice, isYes ? "x != 0" : "x == 0");
      const own = calculus.reduced(taken, "max", this.lost.of(node).get(context) ?? []);
      const around = this.mask(outer, node);
      return around === undefined ? own : calculus.both(own, around, "x * y");
    }
    const masks = context.branches.map((each) => this.mask(each, node));
    return masks.reduce((one, other) => one && other && this.either(one, other));
  }

  /** Where one of two masks is 1; nothing where their join would leave out cells of either. */
  private either(one: Node, other: Node): Node | undefined {
    const isWhole = [one, other].every(({ type }) => hasAllCells(type)) && isOfOneSize(one, other);
    return isWhole ? this.calculus.both(one, other, "max(x, y)") : undefined;
  }
}

/** Whether the dimensions that both have are of one size in both, as far as types say. */
const isOfOneSize = (one: Node, other: Node): boolean =>
  one.type.dimensions.every(({ name, size }) => {
    const same = other.type.dimension(name);
    return same === undefined || same.size === size;
  });
