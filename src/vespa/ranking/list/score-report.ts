import { writeJson } from "../../../formats/json/write.js";
import { sampleOf } from "../../../formats/sample.js";
import type { TensorType } from "../../../language/types/type.js";
import type { MissingFeature } from "../messages.js";
import type { Quantity } from "../program/quantities.js";
import { type FeatureValue, isMissing, type Outcome, type Scorer } from "../scorer.js";
import type { RankedDocument } from "./ranked.js";

/** All that a rank profile computes for one document: a row for each value, and one for each feature that it uses. */
export interface ScoreReport {
  readonly id: string | undefined;
  /** The score in the end; nothing where a feature is missing, or the document is dropped. */
  readonly score: number | undefined;
  readonly rows: readonly ScoreReportRow[];
  readonly features: readonly FeatureValue[];
  /** Each once. */
  readonly missing: readonly MissingFeature[];
}

export interface ScoreReportRow {
  readonly quantity: Quantity;
  readonly outcome: Outcome;
}

/** The report on a document at its final position in a list. */
export function scoreReport(
  scorer: Scorer,
  { hit, list, score }: Pick<RankedDocument, "hit" | "list"> & { readonly score: number | undefined },
): ScoreReport {
  const { quantities } = scorer.program;
  const keys = quantities.map(({ key }) => key);
  const values = scorer.values(keys, hit, list);
  const features = scorer.features(keys, hit, list);
  // Whose type is not known is not among the features: what needs it has no type either.
  const untyped = [...values.values()].flatMap((each) => (each.kind === "missing" ? each.missing : []));
  const missing = new Map([...untyped, ...features.filter(isMissing)].map((each) => [each.name, each]));
  return {
    id: hit.document.id,
    score,
    rows: quantities.flatMap((quantity) => {
      const outcome = values.get(quantity.key);
      return outcome === undefined ? [] : [{ quantity, outcome }];
    }),
    features: features.filter((each): each is FeatureValue => !isMissing(each)),
    missing: [...missing.values()].filter(({ name }) => scorer.program.normalizerOf(name) === undefined),
  };
}

/** A JSON object to be filled in: the missing features with examples of their types. */
export function templateOf(missing: readonly MissingFeature[]): string {
  const unique = new Map(missing.map((each) => [each.name, each]));
  const members = [...unique.values()].map(
    ({ name, type }) => `  ${JSON.stringify(name)}: ${exampleOf(type)}`,
  );
  return `{\n${members.join(",\n")}\n}`;
}

function exampleOf(type: TensorType | undefined): string {
  return type === undefined || type.isScalar ? "0" : writeJson(sampleOf(type));
}
