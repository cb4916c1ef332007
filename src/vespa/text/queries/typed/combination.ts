import type { ExclusionItem, GroupItem, Item } from "./items.js";
import { orOf, type Rules } from "./rules.js";

const rankOf = (items: Item[]): GroupItem => ({ kind: "rank", items });

/**
 * Items of which any may be found, as they are read. What must be found, and what must not, makes an exclusion; all else only adds
 * to the rank of what is found, and is put before or behind it by rules that nobody would guess.
 */
export class Combination {
  private top: Item | undefined;
  private exclusion: ExclusionItem | undefined;

  constructor(private readonly rules: Rules) {}

  addTerm(item: Item): void {
    const { top } = this;
    if (top === undefined) this.top = item;
    else if (top.kind === "not") this.top = this.joined(top, item);
    else if (top.kind === "or" || top.kind === "rank") top.items.push(item);
    else this.top = orOf([top, item]);
  }

  addGroup(group: Item): void {
    this.top = this.top === undefined ? group : this.joined(this.top, group);
  }

  addPositive(item: Item): void {
    addTo(this.excluding(), item);
  }

  addNegative(): void {
    this.excluding().hasNegative = true;
  }

  private excluding(): ExclusionItem {
    if (this.exclusion === undefined) {
      this.exclusion = { kind: "not", positive: undefined, hasNegative: false };
      this.addGroup(this.exclusion);
    }
    return this.exclusion;
  }

  private joined(top: Item, item: Item): Item {
    if (top.kind === "or" && item.kind === "or") return orOf([top, item]);
    const special = this.rules.join(top, item);
    if (special !== undefined) return special;
    if (top.kind !== "rank") return rankOf(top.kind === "not" ? [top, item] : [item, top]);
    const [first, ...others] = item.kind === "rank" ? item.items : [];
    if (first?.kind === "or") for (const each of others) first.items.unshift(each);
    top.items.unshift(first?.kind === "or" ? first : item);
    return top;
  }

  /** Without an exclusion that excludes nothing; where nothing must be found, what only ranks takes its place. */
  result(): Item | undefined {
    const { top, exclusion } = this;
    if (exclusion === undefined || top === undefined) return top;
    const { positive, hasNegative } = exclusion;
    if (hasNegative && positive !== undefined) return top;
    if (top === exclusion) return hasNegative ? exclusion : positive;
    if (!hasNegative && top.kind === "rank" && positive !== undefined) {
      // The first one, even if it is of a group and not this.
      top.items.splice(
        top.items.findIndex(({ kind }) => kind === "not"),
        1,
      );
      return this.joined(top, positive);
    }
    if (!hasNegative) return top;
    addTo(exclusion, top.kind === "rank" ? orOf(top.items.filter((each) => each !== exclusion)) : top);
    return exclusion;
  }
}

function addTo(exclusion: ExclusionItem, item: Item): void {
  const { positive } = exclusion;
  if (positive === undefined) exclusion.positive = item;
  else if (positive.kind === "and") positive.items.push(item);
  else exclusion.positive = { kind: "and", items: [positive, item] };
}
