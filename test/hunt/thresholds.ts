/**
 * Sizes at which the library goes from one way of doing things to another, and which programs of the hunt's size would not reach.
 * `npm run hunt:low` hunts in one in which they are so low that small programs do. What a number says beside its size, as
 * that it is a multiple of the rows of a kernel, holds for the low one, too.
 */
export interface Threshold {
  /** From the root of the project. */
  readonly file: string;
  /** Of the constant. */
  readonly name: string;
  /** What stands in its place, as text. */
  readonly low: string;
}

const engine = "src/backends/engine";

// biome-ignore format: a table
export const thresholds: readonly Threshold[] = [
  { file: "src/language/types/type.ts",                  name: "fewDimensions",                    low: "1" },
  { file: "src/language/limits/slices.ts",               name: "sliceCells",                       low: "64" },
  { file: `${engine}/plan/literals.ts`,                  name: "mostComputed",                     low: "6" },
  { file: `${engine}/plan/slices/slicing.ts`,            name: "mostCopied",                       low: "4" },
  { file: `${engine}/plan/reductions/choice-sum.ts`,     name: "fewComparisons",                   low: "2" },
  { file: `${engine}/plan/reductions/running-folds.ts`,  name: "fewResults",                       low: "2" },
  { file: `${engine}/plan/reductions/threshold-sums.ts`, name: "pairsPerKey",                      low: "0" },
  { file: `${engine}/plan/slices/window-cells.ts`,       name: "mostAdded",                        low: "3" },
  { file: `${engine}/plan/reductions/picked-sum.ts`,     name: "fewIndexes",                       low: "2" },
  { file: `${engine}/plan/planner.ts`,                   name: "nodesAtOnce",                      low: "3" },
  { file: `${engine}/machine/labels/label-kernels.ts`,   name: "fewParts",                         low: "2" },
  { file: `${engine}/machine/labels/label-kernels.ts`,   name: "fewRuns",                          low: "2" },
  { file: `${engine}/passes/cutting.ts`,                 name: "smallSource",                      low: "6" },
  { file: `${engine}/passes/fuse.ts`,                    name: "mostInstructions",                 low: "12" },
  { file: `${engine}/passes/fuse.ts`,                    name: "mostOfOneNumber",                  low: "40" },
  { file: `${engine}/passes/limit.ts`,                   name: "leastShare",                       low: "2" },
  { file: `${engine}/passes/hoist.ts`,                   name: "mostHoisted",                      low: "6" },
  { file: `${engine}/passes/hoist.ts`,                   name: "mostOfPlan",                       low: "12" },
  { file: `${engine}/passes/factorise.ts`,               name: "minimumProducts",                  low: "12" },
  { file: `${engine}/values/storage-order.ts`,           name: "fewestCells",                      low: "4" },
  { file: `${engine}/values/storage-order.ts`,           name: "shortestLine",                     low: "2" },
  { file: `${engine}/ir/body.ts`,                        name: "maximumDepth",                     low: "12" },
  { file: `${engine}/ir/splitting.ts`,                   name: "fewestCells",                      low: "3" },
  { file: `${engine}/layouts/label-indexes.ts`,          name: "mostRecent",                       low: "2" },
  { file: `${engine}/layouts/label-indexes.ts`,          name: "fewRows",                          low: "2" },
  { file: `${engine}/sparse/memo.ts`,                    name: "maximumEntries",                   low: "1" },
  { file: `${engine}/sparse/matching.ts`,                name: "searchRatio",                      low: "2" },
  { file: `${engine}/ranking/leading.ts`,                name: "leastShare",                       low: "2" },
  { file: `${engine}/ranking/seeking.ts`,                name: "vectorsAtOnce",                    low: "1" },
  { file: `${engine}/ranking/select.ts`,                 name: "fewCells",                         low: "2" },
  { file: `${engine}/ranking/select.ts`,                 name: "defaultSteps",                     low: "3" },
  { file: `${engine}/ranking/select.ts`,                 name: "mostSamples",                      low: "3" },
  { file: `${engine}/ranking/lines.ts`,                  name: "linesAtOnce",                      low: "2" },
  { file: `${engine}/ranking/lines.ts`,                  name: "cellsAtOnce",                      low: "3" },
  { file: `${engine}/machine/scan-step.ts`,              name: "cellsOfCopy",                      low: "3" },
  { file: `${engine}/ranking/positions.ts`,              name: "fewestCounted",                    low: "3" },
  { file: `${engine}/ranking/positions.ts`,              name: "mostShared",                       low: "5" },
  { file: `${engine}/ranking/merging.ts`,                name: "runLength",                        low: "2" },
  { file: `${engine}/ranking/positions.ts`,              name: "fewEqual",                         low: "2" },
  { file: `${engine}/forest/forest.ts`,                  name: "fewestDecisions",                  low: "2" },
  { file: `${engine}/forest/forest.ts`,                  name: "fewestOfMany",                     low: "2" },
  { file: `${engine}/forest/forest.ts`,                  name: "decisionsOfNumber",                low: "0" },
  { file: `${engine}/forest/compiled-walk.ts`,           name: "cellsAtOnce",                      low: "3" },
  { file: `${engine}/forest/forest.ts`,                  name: "mostComputations",                 low: "2" },
  { file: `${engine}/machine/range-step.ts`,             name: "vectorsPerTurn",                   low: "1" },
  { file: `${engine}/machine/steps.ts`,                  name: "productsAtOnce",                   low: "4" },
  { file: `${engine}/machine/forest-step.ts`,            name: "runsBeforeCompiling",              low: "1" },
  { file: `${engine}/machine/compiled-plan.ts`,          name: "mostOutcomes",                     low: "1" },
  { file: `${engine}/machine/results/strided-copy.ts`,   name: "longLine",                         low: "3" },
  { file: `${engine}/machine/results/strided-copy.ts`,   name: "tileSize",                         low: "2" },
  { file: `${engine}/machine/marshalling.ts`,            name: "smallCells",                       low: "3" },
  { file: `${engine}/machine/marshalling.ts`,            name: "cellsAtOnce",                      low: "2" },
  { file: `${engine}/ir/index-numbers.ts`,               name: "chunkLength",                      low: "3" },
  { file: `${engine}/machine/labels/gather-step.ts`,     name: "longBlock",                        low: "2" },
  { file: `${engine}/machine/labels/label-walk.ts`,      name: "mostParts",                        low: "3" },
  { file: `${engine}/machine/tiered-step.ts`,            name: "compileThreshold",                 low: "10" },
  { file: `${engine}/machine/tiered-step.ts`,            name: "thresholdPerInstruction",          low: "1" },
  { file: `${engine}/machine/blocks.ts`,                 name: "sliceWork",                        low: "100" },
  { file: `${engine}/engine.ts`,                         name: "[mostPlans, somePlans, fewPlans]", low: "[3, 2, 1]" },
  { file: `${engine}/engine.ts`,                         name: "mostBytesOfPlans",                 low: "1" },
  { file: `${engine}/interpreter/tile.ts`,               name: "tileCells",                        low: "5" },
  { file: `${engine}/loops/nest.ts`,                     name: "mostUnrolled",                     low: "3" },
  { file: `${engine}/loops/segments.ts`,                 name: "longestInner",                     low: "5" },
  { file: `${engine}/loops/structure.ts`,                name: "mostAccesses",                     low: "6" },
  { file: `${engine}/loops/programs.ts`,                 name: "mostAddresses",                    low: "2" },
  { file: `${engine}/loops/program-plan.ts`,             name: "mostInstructions",                 low: "8" },
  { file: `${engine}/loops/program-plan.ts`,             name: "fewInstructions",                  low: "2" },
  { file: `${engine}/loops/program-plan.ts`,             name: "maximumDepth",                     low: "6" },
  { file: `${engine}/loops/lanes.ts`,                    name: "costAcrossLanes",                  low: "1" },
  { file: `${engine}/contractions/product-options.ts`,   name: "rowsOfPart",                       low: "24" },
  { file: `${engine}/contractions/product-options.ts`,   name: "slabColumns",                      low: "32" },
  { file: `${engine}/contractions/product-options.ts`,   name: "tileDepth",                        low: "8" },
  { file: `${engine}/contractions/product.ts`,           name: "workOfThreads",                    low: "200" },
  { file: `${engine}/contractions/matrix.ts`,            name: "secondCacheBytes",                 low: "256" },
  { file: `${engine}/contractions/skipping.ts`,          name: "promising",                        low: "{ leastWork: 20, mostOthers: 40 }" },
  { file: `${engine}/contractions/zeros.ts`,             name: "[rarity, besides]",                low: "[1, 4]" },
  { file: `${engine}/contractions/choice.ts`,            name: "firstCacheBytes",                  low: "256" },
  { file: `${engine}/contractions/choice.ts`,            name: "secondCacheBytes",                 low: "512" },
  { file: `${engine}/contractions/choice.ts`,            name: "fewRows",                          low: "4" },
  { file: `${engine}/contractions/choice.ts`,            name: "shallowest",                       low: "3" },
  { file: `${engine}/contractions/choice.ts`,            name: "mostLines",                        low: "2" },
  { file: `${engine}/contractions/choice.ts`,            name: "fewestPackedLines",                low: "2" },
  { file: `${engine}/contractions/choice.ts`,            name: "manyDots",                         low: "3" },
  { file: `${engine}/contractions/choice.ts`,            name: "fewTerms",                         low: "3" },
  { file: `${engine}/contractions/choice.ts`,            name: "fewBytes",                         low: "2" },
  { file: `${engine}/contractions/split-k.ts`,           name: "longChunk",                        low: "8" },
  { file: `${engine}/threads/divided-step.ts`,           name: "minimumMicroseconds",              low: "0.01" },
  { file: `${engine}/threads/team.ts`,                   name: "grain",                            low: "2" },
];

/** The text of a file with low thresholds. @throws Error where it has no constant of a name. */
export function lowered(file: string, text: string): string {
  return thresholds
    .filter((each) => each.file === file)
    .reduce((changed, { name, low }) => {
      const pattern = name.replace(/[[\]]/g, "\\$&");
      const definition = new RegExp(`^((?:export )?const ${pattern}(?:: \\w+)? = )[^;]+;`, "m");
      if (!definition.test(changed)) throw new Error(`${file} has no constant ${name}`);
      return changed.replace(definition, `$1${low};`);
    }, text);
}
