import { postOrder } from "../../../language/source/depth-first.js";
import type { Span } from "../../../language/source/span.js";
import { element, entry } from "../../../language/values/element.js";
import type { Draft } from "../passes/draft.js";
import { allReadsOfProducer, readsOfBranch, readsOfProducer } from "../values/producer-reads.js";
import type { Buffer } from "../values/value.js";
import type { PlanStep, StepGroup } from "./step.js";

/** A block while it is filled. */
export interface Site {
  readonly steps: PlanStep[];
  readonly parent: Site | undefined;
  readonly depth: number;
  /** The group that the block is, if it is one. */
  readonly group: StepGroup | undefined;
  readonly demanded: Set<StepGroup>;
}

/** In which block each buffer is computed: the innermost that holds all readers, or a group of its own. */
export class Placement {
  readonly root: Site = siteIn(undefined, undefined);
  /** Buffers, each behind those that it needs. */
  readonly order: readonly Buffer[];
  private readonly readers = new Map<Buffer, Set<Site>>();
  private readonly sites = new Map<Buffer, Site>();
  private readonly branches = new Map<Buffer, readonly [Site, Site]>();

  constructor(
    targets: readonly Buffer[],
    computed: ReadonlySet<Buffer>,
    private readonly draft: Draft,
    private readonly nextGroup: () => number,
  ) {
    this.order = inOrder(targets, computed, draft);
    for (const target of targets) this.readFrom(this.root, [target]);
    // Readers come behind what they read: backwards, all of a buffer's readers have their block before it has its own.
    for (let at = this.order.length - 1; at >= 0; at--) {
      this.assign(element(this.order, at));
    }
  }

  siteOf(buffer: Buffer): Site {
    return entry(this.sites, buffer);
  }

  branchesOf(buffer: Buffer): readonly [Site, Site] {
    return entry(this.branches, buffer);
  }

  /** Sees to it that groups are computed before a block reads them, for the expression of this span. */
  demand(site: Site, buffers: readonly Buffer[], span: Span): void {
    for (const buffer of buffers) {
      const group = this.sites.get(buffer)?.group;
      if (group === undefined || isWithin(site, group) || isDemanded(site, group)) continue;
      site.demanded.add(group);
      site.steps.push({ kind: "demand", group, span });
    }
  }

  private assign(buffer: Buffer): void {
    const producer = entry(this.draft.producers, buffer);
    const readers = [...(this.readers.get(buffer) ?? [])];
    const common = readers.reduce(commonSite, readers[0] ?? this.root);
    const site = readers.includes(common) ? common : this.groupIn(common);
    this.sites.set(buffer, site);
    this.readFrom(site, readsOfProducer(producer));
    if (producer.kind !== "branch") return;
    const [yes, no] = [siteIn(site, undefined), siteIn(site, undefined)];
    this.readFrom(yes, readsOfBranch(producer.yes));
    this.readFrom(no, readsOfBranch(producer.no));
    this.branches.set(buffer, [yes, no]);
  }

  private groupIn(parent: Site): Site {
    const steps: PlanStep[] = [];
    return siteIn(parent, { number: this.nextGroup(), steps }, steps);
  }

  private readFrom(site: Site, buffers: readonly Buffer[]): void {
    for (const buffer of buffers) {
      const sites = this.readers.get(buffer) ?? new Set();
      sites.add(site);
      this.readers.set(buffer, sites);
    }
  }
}

const siteIn = (parent: Site | undefined, group: StepGroup | undefined, steps: PlanStep[] = []): Site => ({
  steps,
  parent,
  depth: parent === undefined ? 0 : parent.depth + 1,
  group,
  demanded: new Set(),
});

/** The innermost block that holds both. */
function commonSite(left: Site, right: Site): Site {
  let [one, other]: [Site | undefined, Site | undefined] = [left, right];
  while (one !== undefined && other !== undefined && one !== other) {
    if (one.depth >= other.depth) one = one.parent;
    else other = other.parent;
  }
  if (one === undefined || one !== other) throw new Error("all blocks are within one");
  return one;
}

function isWithin(site: Site, group: StepGroup): boolean {
  for (let at: Site | undefined = site; at !== undefined; at = at.parent) if (at.group === group) return true;
  return false;
}

function isDemanded(site: Site, group: StepGroup): boolean {
  for (let at: Site | undefined = site; at !== undefined; at = at.parent)
    if (at.demanded.has(group)) return true;
  return false;
}

/** All buffers that must be computed for some, each behind those that it needs. */
function inOrder(targets: readonly Buffer[], computed: ReadonlySet<Buffer>, draft: Draft): readonly Buffer[] {
  const isMissing = (buffer: Buffer): boolean => buffer.origin.kind === "computed" && !computed.has(buffer);
  return postOrder(targets.filter(isMissing), (buffer) =>
    allReadsOfProducer(entry(draft.producers, buffer)).filter(isMissing),
  );
}
