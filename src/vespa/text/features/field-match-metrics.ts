import { usualConnectedness } from "../queries/query-term.js";
import { sumOf } from "../sum.js";

/** What `rank-properties` of a `fieldMatch` say. */
export interface FieldMatchSettings {
  /** Words that are this far apart belong to two segments. */
  readonly proximityLimit: number;
  /** How near words in each order are, from so many words before to so many behind. */
  readonly proximityTable: readonly number[];
  readonly maxAlternativeSegmentations: number;
  readonly maxOccurrences: number;
  readonly proximityCompletenessImportance: number;
  readonly relatednessImportance: number;
  readonly earlinessImportance: number;
  readonly segmentProximityImportance: number;
  readonly occurrenceImportance: number;
  readonly fieldCompletenessImportance: number;
}

/** A word of the query that is looked for in the field: one of a term, or of a phrase. */
export interface MatchTerm {
  readonly positions: readonly number[];
  readonly weight: number;
  readonly significance: number;
  /** How much it has to do with the word before it. */
  readonly connectedness: number;
}

/** What the words of the query and of the field are, and what all words of the query weigh together. */
export interface FieldMatchInput {
  readonly terms: readonly MatchTerm[];
  readonly fieldLength: number;
  readonly totalWeight: number;
  readonly totalSignificance: number;
  readonly settings: FieldMatchSettings;
}

/** What `fieldMatch(f)` puts out, by name. */
export type MatchMetrics = Readonly<Record<MatchOutput, number>>;

// biome-ignore format: a list
export const matchOutputs = [
  "score", "proximity", "completeness", "queryCompleteness", "fieldCompleteness", "orderness", "relatedness", "earliness",
  "longestSequenceRatio", "segmentProximity", "unweightedProximity", "absoluteProximity", "occurrence", "absoluteOccurrence",
  "weightedOccurrence", "weightedAbsoluteOccurrence", "significantOccurrence", "weight", "significance", "importance",
  "segments", "matches", "degradedMatches", "outOfOrder", "gaps", "gapLength", "longestSequence", "head", "tail",
  "segmentDistance",
] as const;
export type MatchOutput = (typeof matchOutputs)[number];

/** Words that have more to do with each other than usual count more where they are near, and less where they are not. */
const connectednessRatio = (term: MatchTerm | undefined): number =>
  (term?.connectedness ?? usualConnectedness) / usualConnectedness;

/** Two words of the query, one after the other, that are found near each other. */
interface FoundPair {
  /** The second one. */
  readonly term: number;
  readonly position: number;
  readonly previous: number;
  /** Whether no word of the query between them was left out. */
  readonly isNext: boolean;
}

/** What is counted while the query is divided into segments, up to some term. */
export class SegmentMetrics {
  private outOfOrder = 0;
  private gaps = 0;
  private gapLength = 0;
  private longestSequence = 1;
  private head: number | undefined;
  private tail: number | undefined;
  private matches = 0;
  private proximity = 0;
  private connectedProximity = 0;
  private pairs = 0;
  private weight = 0;
  private significance = 0;
  private sequence = 0;
  private segmentStarts: readonly number[] = [];

  constructor(private readonly input: FieldMatchInput) {}

  copy(): SegmentMetrics {
    return Object.assign(new SegmentMetrics(this.input), this);
  }

  /** What decides which of two ways to divide the query is better. */
  get segmentationScore(): number {
    const { length } = this.segmentStarts;
    return length === 0 ? 0 : this.absoluteProximity / length ** 2;
  }

  beginSegment(position: number): void {
    this.segmentStarts = [...this.segmentStarts, position];
  }

  beginSequence(position: number): void {
    this.head = Math.min(this.head ?? position, position);
    this.sequence = 1;
  }

  endSequence(position: number): void {
    const behind = this.input.fieldLength - position - 1;
    this.tail = Math.min(this.tail ?? behind, behind);
    this.longestSequence = Math.max(this.longestSequence, this.sequence);
    this.sequence = 0;
  }

  match(at: number): void {
    const { terms, fieldLength, totalWeight, totalSignificance } = this.input;
    const term = terms[at];
    if (term === undefined || this.matches >= fieldLength) return;
    this.matches++;
    if (totalWeight > 0) this.weight += term.weight / totalWeight;
    if (totalSignificance > 0) this.significance += term.significance / totalSignificance;
  }

  pair({ term, position, previous, isNext }: FoundPair): void {
    this.near(term, position, previous);
    if (position === previous + 1 && isNext) {
      this.sequence++;
      return;
    }
    this.gaps++;
    if (position > previous) this.gapLength += position - previous - 1;
    else {
      this.outOfOrder++;
      this.gapLength += previous - position;
    }
  }

  private near(term: number, position: number, previous: number): void {
    const { settings, terms } = this.input;
    const { proximityLimit, proximityTable } = settings;
    const steps = position - previous - 1;
    // Before, there is no distance of no words.
    const distance = steps < 0 ? steps + 1 : steps;
    if (Math.abs(distance) > proximityLimit) return;
    const proximity = proximityTable[distance + proximityLimit] ?? 0;
    this.proximity += proximity;
    const ratio = connectednessRatio(terms[term]);
    this.connectedProximity += proximity ** ratio * Math.max(1, ratio);
    this.pairs++;
  }

  private get unweightedProximity(): number {
    return this.pairs === 0 ? 1 : this.proximity / this.pairs;
  }

  /** Nearness counts as much as the words have to do with each other. */
  private get absoluteProximity(): number {
    return usualConnectedness * (this.pairs === 0 ? 1 : this.connectedProximity / this.pairs);
  }

  /** As a part of what it would be if all words stood side by side. */
  private get relativeProximity(): number {
    const found = this.pairs === 0 ? 1 : this.connectedProximity / this.pairs;
    const later = this.input.terms.slice(1);
    const total = sumOf(later, (each) => Math.max(1, connectednessRatio(each)));
    return later.length === 0 ? found : found / (total / later.length);
  }

  /** All metrics of a query that is divided to its end. */
  complete(): MatchMetrics {
    const { terms, fieldLength, settings } = this.input;
    const { matches, head = 0, weight, significance } = this;
    const segments = this.segmentStarts.length;
    const starts = [...this.segmentStarts].sort((a, b) => a - b);
    const segmentDistance = starts
      .slice(1)
      .reduce((sum, each, at) => sum + each - (starts[at] ?? each) + 1, 0);
    const queryCompleteness = matches / terms.length;
    const fieldCompleteness = matches / fieldLength;
    const proximity = this.relativeProximity;
    const part = settings.fieldCompletenessImportance;
    const metrics = {
      ...{ matches, head, outOfOrder: this.outOfOrder, weight, significance, segments },
      ...{
        tail: this.tail ?? 0,
        gaps: this.gaps,
        gapLength: this.gapLength,
        longestSequence: this.longestSequence,
      },
      ...{ segmentDistance, queryCompleteness, fieldCompleteness, proximity },
      ...this.occurrences(),
      degradedMatches: 0,
      importance: (significance + weight) / 2,
      completeness: queryCompleteness * (1 - part) + part * fieldCompleteness,
      orderness: this.pairs === 0 ? 1 : 1 - this.outOfOrder / this.pairs,
      relatedness: matches === 0 ? 0 : matches === 1 ? 1 : 1 - (segments - 1) / (matches - 1),
      earliness: matches === 0 ? 0 : fieldLength === 1 ? 1 : 1 - head / (Math.max(6, fieldLength) - 1),
      longestSequenceRatio: matches === 0 ? 0 : this.longestSequence / matches,
      segmentProximity: matches === 0 ? 0 : 1 - segmentDistance / fieldLength,
      unweightedProximity: this.unweightedProximity,
      absoluteProximity: this.absoluteProximity,
    };
    return { ...metrics, score: this.score(metrics) };
  }

  private score(metrics: Omit<MatchMetrics, "score">): number {
    const { settings } = this.input;
    const { proximityCompletenessImportance, relatednessImportance, earlinessImportance } = settings;
    const { segmentProximityImportance, occurrenceImportance } = settings;
    const related = 1 - relatednessImportance + relatednessImportance * metrics.relatedness;
    return (
      (proximityCompletenessImportance * related * metrics.proximity * metrics.completeness ** 2 +
        earlinessImportance * metrics.earliness +
        segmentProximityImportance * metrics.segmentProximity +
        occurrenceImportance * metrics.occurrence) /
      (proximityCompletenessImportance +
        earlinessImportance +
        segmentProximityImportance +
        occurrenceImportance)
    );
  }

  /** How often the terms occur, each word counted once. */
  private occurrences(): Pick<
    MatchMetrics,
    | "occurrence"
    | "absoluteOccurrence"
    | "weightedOccurrence"
    | "weightedAbsoluteOccurrence"
    | "significantOccurrence"
  > {
    const { fieldLength, settings } = this.input;
    const { maxOccurrences: most } = settings;
    const found = this.input.terms.filter(({ positions }) => positions.length > 0);
    const unique = [...new Map(found.toReversed().map((each) => [each.positions[0], each])).values()];
    const count = ({ positions }: MatchTerm): number => Math.min(positions.length, most);
    const sum = (of: (term: MatchTerm) => number): number => sumOf(unique, of);
    const share = (importance: (term: MatchTerm) => number, whole: number): number => {
      const total = whole * sum(importance);
      return total > 0 ? sum((each) => count(each) * importance(each)) / total : 0;
    };
    const counted = sum(count);
    return {
      occurrence: unique.length === 0 ? 0 : counted / Math.min(fieldLength, most * unique.length),
      absoluteOccurrence: unique.length === 0 ? 0 : counted / (most * unique.length),
      weightedOccurrence: share(({ weight }) => weight, Math.min(fieldLength, most)),
      weightedAbsoluteOccurrence: share(({ weight }) => weight, most),
      significantOccurrence: share(({ significance }) => significance, Math.min(fieldLength, most)),
    };
  }
}
