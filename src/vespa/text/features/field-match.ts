import { startingNumber, startingWhole } from "../../package/model/engine-numbers.js";
import type { Field } from "../../package/model/model.js";
import {
  matchedLength,
  numberProperty,
  occurrences,
  significance,
  type TextDocument,
  type TextQuery,
} from "../field-texts.js";
import { lengthIn } from "../occurrences.js";
import { usualConnectedness } from "../queries/query-term.js";
import { sumOf } from "../sum.js";
import {
  type FieldMatchInput,
  type FieldMatchSettings,
  type MatchMetrics,
  type MatchTerm,
  SegmentMetrics,
} from "./field-match-metrics.js";

// biome-ignore format: a table
const usualTable = [
  0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.17, 0.24, 0.33, 1,
  0.71, 0.5, 0.35, 0.25, 0.18, 0.13, 0.09, 0.06, 0.04, 0.03,
];

function settingsOf({ name }: Field, query: TextQuery): FieldMatchSettings | undefined {
  const feature = `fieldMatch(${name.text})`;
  const number = (key: string, otherwise: number): number =>
    numberProperty(query, [`${feature}.${key}`], otherwise);
  const table =
    query
      .property(`${feature}.proximityTable`)
      ?.split(/[\s,]+/)
      .map(startingNumber) ?? usualTable;
  const whole = (key: string, otherwise: number): number =>
    numberProperty(query, [`${feature}.${key}`], otherwise, startingWhole);
  const proximityLimit = whole("proximityLimit", 10);
  if (table.length !== 2 * proximityLimit + 1 || table.some(Number.isNaN)) return undefined;
  return {
    ...{ proximityLimit, proximityTable: table },
    maxAlternativeSegmentations: whole("maxAlternativeSegmentations", 1000),
    maxOccurrences: whole("maxOccurrences", 100),
    proximityCompletenessImportance: number("proximityCompletenessImportance", 0.9),
    relatednessImportance: number("relatednessImportance", 0.9),
    earlinessImportance: number("earlinessImportance", 0.05),
    segmentProximityImportance: number("segmentProximityImportance", 0.05),
    occurrenceImportance: number("occurrenceImportance", 0.05),
    fieldCompletenessImportance: number("fieldCompletenessImportance", 0.05),
  };
}

/**
 * `fieldMatch(f)`: how well a query as a whole agrees with a field of one value. The words of the query are looked for in
 * their order, each as near behind the one before as can be, then as near before it. Words that are found near each other are
 * a segment of the field. Of the ways to divide the query into segments the one with the best proximity counts, where the way
 * up to each term is kept that is best so far, as the algorithm of Vespa's reference has it.
 *
 * Gives the metrics of document after document; nothing where the settings are wrong, or the field has several values.
 */
export function fieldMatch(
  field: Field,
  query: TextQuery,
): ((document: TextDocument) => MatchMetrics | undefined) | undefined {
  const settings = settingsOf(field, query);
  const isCollection = ["array", "weightedset"].some((each) => field.typeText.startsWith(each));
  if (settings === undefined || !field.isIndex || isCollection) return undefined;
  // The words of a phrase count by themselves, and nothing is known of how rare they are.
  const words = query.terms.flatMap((term) => {
    const isHere = term.fields.includes(field.name.text);
    const count = isHere ? lengthIn(term, field) : 1;
    const own = count > 1 ? (term.significance ?? 0.5) : significance(term, query);
    return Array.from({ length: count }, (_, offset) => ({ term, isHere, offset, significance: own }));
  });
  const feature = `fieldMatch(${field.name.text})`;
  const total = (key: string, of: (each: (typeof words)[number]) => number): number =>
    numberProperty(query, [`${feature}.${key}`], sumOf(words, of));
  const totalWeight = total("totalTermWeight", ({ term }) => term.weight);
  const totalSignificance = total("totalTermSignificance", (each) => each.significance);
  const own = words.filter(({ isHere }) => isHere);
  return (document) => {
    let fieldLength = 0;
    const terms = own.map(({ term, offset, significance }): MatchTerm => {
      const found = occurrences(term, field, document);
      fieldLength ||= matchedLength(found);
      const positions = found.map(({ position }) => position + offset);
      // What follows in a phrase has to do with the word before it as any two words have.
      const connectedness = offset === 0 ? term.connectedness : usualConnectedness;
      return { positions, weight: term.weight, significance, connectedness };
    });
    if (fieldLength === 0) return undefined;
    return new Segmentation({ terms, fieldLength, totalWeight, totalSignificance, settings }).best();
  };
}

/** A term that a segment may begin at, with the best way to divide the query up to it. */
interface SegmentStart {
  metrics: SegmentMetrics;
  readonly term: number;
  /** Terms from there on that are nowhere in the field. */
  skipped: number;
  previousPosition: number;
  /** How far from the previous position places were tried. */
  explored: number;
  isOpen: boolean;
}

class Segmentation {
  private readonly starts: (SegmentStart | undefined)[];
  private alternatives = 0;

  constructor(private readonly input: FieldMatchInput) {
    this.starts = Array.from({ length: input.terms.length + 1 });
    this.starts[0] = this.start(new SegmentMetrics(input), 0, 0);
  }

  best(): MatchMetrics {
    for (let start = this.starts[0]; start !== undefined; start = this.openFrom(start.term))
      if (!this.findSegment(start)) start.isOpen = false;
    const last = this.starts.findLast((each) => each !== undefined);
    return (last?.metrics ?? new SegmentMetrics(this.input)).complete();
  }

  private start(metrics: SegmentMetrics, term: number, previousPosition: number): SegmentStart {
    return { metrics, term, skipped: 0, previousPosition, explored: 0, isOpen: true };
  }

  private openFrom(term: number): SegmentStart | undefined {
    for (const each of this.starts.slice(term)) {
      if (each?.isOpen !== true) continue;
      if (each.explored === 0) return each;
      if (this.alternatives >= this.input.settings.maxAlternativeSegmentations) continue;
      this.alternatives++;
      return each;
    }
    return undefined;
  }

  /** Finds the next segment that begins there, and offers what comes of it to the start of the one after; whether there is one. */
  private findSegment(start: SegmentStart): boolean {
    const { terms, settings } = this.input;
    const metrics = start.metrics.copy();
    let { explored, previousPosition: previous } = start;
    let previousTerm = -1;
    let isInSequence = false;
    let isFirst = true;
    for (let term = start.term + start.skipped; term < terms.length; term++) {
      const position = this.nearest(term, previous, explored);
      if (position === undefined && explored > 0 && isFirst) return false;
      if (isInSequence && position !== previous + 1) {
        metrics.endSequence(previous);
        isInSequence = false;
      }
      if (isFirst) {
        if (position === undefined) start.skipped++;
        else {
          metrics.beginSegment(position);
          start.explored = this.distanceTo(position, start.previousPosition) + 1;
          isFirst = false;
        }
      } else if (Math.abs((position ?? -1) - previous) >= settings.proximityLimit) {
        this.offer(term, previous, metrics);
        return true;
      } else if (position !== undefined)
        metrics.pair({ term, position, previous, isNext: term === previousTerm + 1 });
      if (position === undefined) {
        explored = 0;
        continue;
      }
      metrics.match(term);
      if (!isInSequence) metrics.beginSequence(position);
      isInSequence = true;
      explored = 1;
      previousTerm = term;
      previous = position;
    }
    if (isInSequence) metrics.endSequence(previous);
    if (!isFirst) this.offer(terms.length, previous, metrics);
    return !isFirst;
  }

  private offer(term: number, position: number, metrics: SegmentMetrics): void {
    const start = this.starts[term];
    if (start === undefined) this.starts[term] = this.start(metrics, term, position);
    else if (metrics.segmentationScore > start.metrics.segmentationScore) {
      start.metrics = metrics;
      start.previousPosition = position;
    }
  }

  /** The position of a term that is nearest to another one, of those that are at least so far away. */
  private nearest(term: number, from: number, least: number): number | undefined {
    let best: number | undefined;
    let bestDistance = Number.POSITIVE_INFINITY;
    for (const position of this.input.terms[term]?.positions ?? []) {
      const distance = this.distanceTo(position, from);
      if (distance < least || distance >= bestDistance) continue;
      best = position;
      bestDistance = distance;
    }
    return best;
  }

  /** Near positions behind come first, then near ones before, then far ones behind and far ones before. */
  private distanceTo(position: number, from: number): number {
    const { fieldLength, settings } = this.input;
    const behind = Math.min(settings.proximityLimit, fieldLength - from);
    const before = Math.min(settings.proximityLimit, from);
    const steps = position - from;
    if (steps >= 0) return steps < behind ? steps : steps + before;
    return -steps - 1 < before ? behind - steps - 1 : fieldLength - position - 1;
  }
}
