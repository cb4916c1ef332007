/**
 * Sphex for Vespa practitioners: application packages, their schemas and rank profiles, read, checked and run without an
 * engine. All of it stands on what `index.ts` offers, which is imported from there.
 */
export { type CheckedPackage, checkPackage, type PackageLimits, profileNamed } from "./application/check.js";
export { type CheckedProfile, type Computed, checkProfile } from "./application/check-profile.js";
export { constantValue } from "./application/constant-values.js";
export {
  type Described,
  describeProfile,
  type ProfileDescription,
  showProfile,
} from "./application/describe.js";
export type { Mentioned } from "./application/feature-types.js";
export { defaultFileLimit, type Files } from "./application/files.js";
export {
  type Constant,
  type ExpressionText,
  type Feature,
  type FeatureList,
  type FeatureListName,
  type Field,
  featureListNames,
  type Input,
  type Model,
  type Package,
  type Phase,
  type PhaseName,
  type Profile,
  type Property,
  phaseNames,
  type RankFunction,
  type RankProfile,
  type Schema,
} from "./application/model.js";
export { type PackageOptions, readPackage } from "./application/package.js";
export { type CaptureOptions, captureText, nameOf } from "./ranking/capture.js";
export { Ranking, type RankingOptions } from "./ranking/compile.js";
export { Document } from "./ranking/document.js";
export {
  featureSetting,
  featuresOf,
  type GivenFeatures,
  readFeatures,
} from "./ranking/injected.js";
export { type Move, moves, type RankedHit } from "./ranking/list.js";
export type { NeighbourSearch } from "./ranking/neighbours.js";
export { soundProfile } from "./ranking/profile.js";
export type { ProfileProgram, Quantity } from "./ranking/program.js";
export { junitText } from "./ranking/rank-tests/junit.js";
export type { Expectation, RankTest, RankTestFile } from "./ranking/rank-tests/model.js";
export { problemOfFile, type ReadFile, readRankTests } from "./ranking/rank-tests/read.js";
export { isPassed, resultText, summaryText } from "./ranking/rank-tests/report.js";
export {
  type FoundDifference,
  type RankTestResult,
  RankTestRunner,
  unread,
} from "./ranking/rank-tests/run.js";
export { tapText } from "./ranking/rank-tests/tap.js";
export { type RankedDocument, type RankOptions, rankDocuments } from "./ranking/ranked.js";
export {
  type FeatureValue,
  type HitToScore,
  isMissing,
  type ListValues,
  type Outcome,
  type Scorer,
} from "./ranking/scorer.js";
export type { SettingOptions } from "./ranking/setting.js";
export { type Sheet, sheetOf, templateOf } from "./ranking/sheet.js";
export { hitJson, idOf, listText, movesText, sheetJson, sheetText } from "./ranking/show.js";
