import { comparisonNames } from "../../../language/scalar/comparisons.js";
import type { ScalarName } from "../../../language/scalar/functions.js";
import { element } from "../../../language/values/element.js";
import { product } from "../values/ranking.js";
import { computed, sizeOf } from "../values/source.js";
import type { Storage } from "../values/storage.js";
import type { Buffer, BufferAccess, Computed, Operand, Producer, Source, Stored } from "../values/value.js";
import { type Draft, withLoops } from "./draft.js";

/**
 * `cell_order(t, max) < n` is the same whatever the ranks behind n are, as long as they are behind it. So where a loop compares
 * ranks with one number, it reads ranks that are found only up to that number: by a heap, which looks at each cell once,
 * and not by sorting. Others that read the ranks read them as before.
 */
export function limit(draft: Draft): Draft {
  const hasRanks = [...draft.producers.values()].some(isRanks);
  if (!hasRanks) return draft;
  const limiting = new Limiting(draft.storage);
  return withLoops(draft, (loop) => {
    const source = sizeOf(loop.source) <= largestSource ? limiting.source(loop.source) : loop.source;
    return source === loop.source ? loop : { ...loop, source };
  });
}

/** Larger sources are not looked through. */
const largestSource = 1000;

/** Where more ranks are looked at than one in so many, all cells are sorted. */
const leastShare = 16;

type Ranks = Extract<Producer, { kind: "ranking" }>;

const isRanks = (producer: Producer): producer is Ranks =>
  producer.kind === "ranking" && producer.ranking.finds.kind === "ranks";

/** What tells of a rank only whether it is up to a number, and which one if it is. */
const comparisons: ReadonlySet<ScalarName> = new Set<ScalarName>(comparisonNames);

class Limiting {
  /** By the buffer of all ranks, and the last rank. */
  private readonly limited = new Map<Buffer, Map<string, Buffer>>();
  private readonly rewritten = new Map<Source, Source>();

  constructor(private readonly storage: Storage) {}

  /** The source, with comparisons of ranks that are found up to a number. */
  source(source: Source): Source {
    if (source.kind !== "computed") return source;
    const cached = this.rewritten.get(source);
    if (cached !== undefined) return cached;
    const operands = this.comparison(source) ?? source.operands.map((operand) => this.operand(operand));
    const isSame = operands.every((operand, at) => operand === source.operands[at]);
    const result = isSame ? source : computed(source.axes, source.operation, operands).source;
    this.rewritten.set(source, result);
    return result;
  }

  private operand(operand: Operand): Operand {
    const source = this.source(operand.source);
    return source === operand.source ? operand : { ...operand, source };
  }

  /** The operands of a comparison of ranks with one number; absent for all else. */
  private comparison({ operation, operands }: Computed): readonly Operand[] | undefined {
    if (operation.op !== "apply" || !comparisons.has(operation.function)) return undefined;
    const [left, right] = [element(operands, 0), element(operands, 1)];
    const [ofLeft, ofRight] = [this.limitedRanks(left, right), this.limitedRanks(right, left)];
    if (ofLeft === undefined && ofRight === undefined) return undefined;
    return [ofLeft ?? left, ofRight ?? right];
  }

  /** Ranks up to another operand; absent where they are no ranks, or that is not one number. */
  private limitedRanks(operand: Operand, other: Operand): Operand | undefined {
    const { source } = operand;
    if (source.kind === "computed" && source.operation.op === "view") {
      const inner = this.limitedRanks(element(source.operands, 0), other);
      if (inner === undefined) return undefined;
      return { ...operand, source: computed(source.axes, source.operation, [inner]).source };
    }
    if (source.kind !== "stored") return undefined;
    const { slot } = source.access;
    if (slot.origin.kind !== "computed") return undefined;
    const producer = this.storage.producerOf(slot);
    const lastRank = oneNumber(other.source);
    if (!isRanks(producer) || lastRank === undefined) return undefined;
    const cells = product(producer.ranking.line);
    if (typeof lastRank === "number" && lastRank * leastShare > cells) return undefined;
    return { ...operand, source: this.upTo(source, producer, lastRank, slot.origin.span) };
  }

  private upTo(
    { access }: Stored,
    producer: Ranks,
    lastRank: number | BufferAccess,
    span: Extract<Buffer["origin"], { kind: "computed" }>["span"],
  ): Stored {
    const { tables } = this.storage;
    const key =
      typeof lastRank === "number" ? `${lastRank}` : `${tables.identity(lastRank.slot)} ${lastRank.offset}`;
    const byRank = this.limited.get(access.slot) ?? new Map<string, Buffer>();
    this.limited.set(access.slot, byRank);
    const { cellType, length } = access.slot;
    const slot = byRank.get(key) ?? this.storage.buffer(cellType, length, { ...producer, lastRank }, span);
    byRank.set(key, slot);
    return { kind: "stored", access: { ...access, slot } };
  }
}

/** The number that a source is at all indexes, or the cell that holds it. */
function oneNumber(source: Source): number | BufferAccess | undefined {
  if (source.kind === "constant") return source.value;
  if (source.kind !== "stored" || source.access.strides.some((stride) => stride !== 0)) return undefined;
  return { ...source.access, strides: [] };
}
