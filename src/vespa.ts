/**
 * Sphex for Vespa practitioners: application packages, their schemas and rank profiles, read, checked and run without an
 * engine. All of it stands on what `index.ts` offers, which is imported from there.
 */

export { type Corpus, corpusOf, type WholeDocument } from "./vespa/documents/corpus.js";
export { type FeedDocument, type FeedEntry, type FieldChange, readFeed } from "./vespa/documents/feed.js";
export { type ParsedQuery, type Query, type RepeatedParameter, readQuery } from "./vespa/documents/query.js";
export {
  type Hit,
  hitName,
  type ParsedResponse,
  type QueryResponse,
  readResponse,
} from "./vespa/documents/response.js";
export { type ExportOptions, exportApplication, functionNames } from "./vespa/export/application.js";
export {
  type Distribution,
  distributionOf,
  distributionRemark,
  distributionsText,
} from "./vespa/judging/distributions.js";
export {
  comparisons,
  type Evaluation,
  evaluateQueries,
  type MeasureComparison,
  type MeasureSummary,
  type RankedQuery,
  summaries,
} from "./vespa/judging/evaluation.js";
export { type Judgments, readJudgments, relevanceIn } from "./vespa/judging/judgments.js";
export {
  type ExplainedTerm,
  explainingTerms,
  explanationText,
  type Margins,
  type Overtaking,
  overtakingIn,
} from "./vespa/judging/overtaking.js";
export { type NamedQuery, readQueries } from "./vespa/judging/queries.js";
export {
  comparisonJson,
  comparisonText,
  type ExplainChange,
  evaluationJson,
  evaluationText,
  type SweepPoint,
  sweepText,
} from "./vespa/judging/report.js";
export { type EditedFile, editedFiles } from "./vespa/learning/edits.js";
export { type LabelledRow, type ParsedRows, readLabelledRows } from "./vespa/learning/labelled-rows.js";
export { type LearnOptions, type Learnt, learn } from "./vespa/learning/learn.js";
export { type RankingLossName, rankingLossNames } from "./vespa/learning/ranking-losses.js";
export { isRankingWorse, learningJson, learningText } from "./vespa/learning/report.js";
export {
  type CheckedPackage,
  checkPackage,
  type PackageLimits,
  profileNamed,
} from "./vespa/package/checks/check.js";
export {
  type CheckedProfile,
  type ComputedValue,
  checkProfile,
} from "./vespa/package/checks/check-profile.js";
export {
  describeProfile,
  type ProfileDescription,
  showProfile,
  type TypedName,
} from "./vespa/package/describe.js";
export { constantValue } from "./vespa/package/expressions/constant-values.js";
export { defaultFileLimit, type Files } from "./vespa/package/model/files.js";
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
  type QueryProfile,
  type QueryProfileField,
  type QueryProfileFields,
  type QueryProfileVariant,
  type RankFunction,
  type RankProfile,
  type Schema,
  type Struct,
} from "./vespa/package/model/model.js";
export { type PackageOptions, readPackage } from "./vespa/package/package.js";
export { type CompletedQuery, completedQuery } from "./vespa/package/query-profiles/query-values.js";
export type { MentionedFeature } from "./vespa/package/rank-features/feature-types.js";
export type { Problem } from "./vespa/problem.js";
export { type CaptureOptions, captureText } from "./vespa/rank-tests/capture.js";
export { expectedName } from "./vespa/rank-tests/expected-name.js";
export { junitText } from "./vespa/rank-tests/junit.js";
export type { Expectation, RankTest, RankTestFile } from "./vespa/rank-tests/model.js";
export { problemOfFile, type ReadFile, readRankTests } from "./vespa/rank-tests/read.js";
export { isPassed, resultText, summaryText } from "./vespa/rank-tests/report.js";
export {
  type FoundDifference,
  type RankTestResult,
  RankTestRunner,
  unreadableTestFile,
} from "./vespa/rank-tests/run.js";
export { tapText } from "./vespa/rank-tests/tap.js";
export { Ranking, type RankingOptions } from "./vespa/ranking/compile.js";
export { Document } from "./vespa/ranking/document/document.js";
export { hitsOfSchema } from "./vespa/ranking/document/document-types.js";
export {
  type Imports,
  type JoinedHits,
  joinedHits,
  type Parents,
  parentsAmong,
  parentsOf,
  withParents,
} from "./vespa/ranking/document/parents.js";
export { computedFeatures } from "./vespa/ranking/features/features.js";
export {
  featureSetting,
  featuresOf,
  type InjectedFeatures,
  readFeatures,
} from "./vespa/ranking/features/injected-features.js";
export type { InputOrigin } from "./vespa/ranking/features/input-origin.js";
export { typeInValue } from "./vespa/ranking/features/read-feature.js";
export { textFeatures } from "./vespa/ranking/features/text-features.js";
export { hasFirstPhase } from "./vespa/ranking/implied-phase.js";
export { type Move, type RankedHit, rankMoves } from "./vespa/ranking/list/list.js";
export { marginsOf } from "./vespa/ranking/list/margins.js";
export {
  type RankedDocument,
  type RankOptions,
  rankDocuments,
  rankHits,
} from "./vespa/ranking/list/ranked.js";
export {
  type ScoreReport,
  scoreReport,
  templateOf,
} from "./vespa/ranking/list/score-report.js";
export {
  documentId,
  hitJson,
  listText,
  movesText,
  scoreReportJson,
  scoreReportText,
} from "./vespa/ranking/list/show.js";
export { type MissingFeature, type MissingReason, reasonText } from "./vespa/ranking/messages.js";
export type { NeighbourSearch } from "./vespa/ranking/neighbours/nearest-neighbour.js";
export { profileName, profileNames, soundProfile } from "./vespa/ranking/profile.js";
export type { ProfileProgram } from "./vespa/ranking/program/program.js";
export type { Quantity } from "./vespa/ranking/program/quantities.js";
export type { QueryInputs, SettingOptions } from "./vespa/ranking/query/setting.js";
export {
  type FeatureValue,
  type HitToScore,
  isMissing,
  type ListValues,
  type Outcome,
  type Scorer,
} from "./vespa/ranking/scorer.js";
export { type Statistics, statisticsIn, statisticsOf } from "./vespa/text/statistics.js";
