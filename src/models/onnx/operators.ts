import { attentions } from "./operators/attention.js";
import { bits } from "./operators/bits.js";
import { fused } from "./operators/contributed/fused.js";
import { fusedAttentions } from "./operators/contributed/fused-attention.js";
import { packedWeights } from "./operators/contributed/packed-weights.js";
import { quantisedOperators } from "./operators/contributed/quantised.js";
import { controlFlow } from "./operators/control-flow.js";
import { elementwise } from "./operators/elementwise.js";
import { fourier } from "./operators/fourier.js";
import { convolutions } from "./operators/images/convolution.js";
import { gridSampling } from "./operators/images/grid-sampling.js";
import { pooling } from "./operators/images/pooling.js";
import { resampling } from "./operators/images/resampling.js";
import { indexing } from "./operators/indexing.js";
import { losses } from "./operators/losses.js";
import { encoders } from "./operators/machine-learning/encoders.js";
import { featureOperators } from "./operators/machine-learning/features.js";
import { linearModels } from "./operators/machine-learning/linear-models.js";
import { treeEnsembles } from "./operators/machine-learning/tree-ensembles.js";
import { making } from "./operators/making.js";
import { movement } from "./operators/movement.js";
import { normalisation } from "./operators/normalisation.js";
import { products } from "./operators/products.js";
import { quantisation } from "./operators/quantisation.js";
import { recurrence } from "./operators/recurrent/recurrent.js";
import { reductions } from "./operators/reductions.js";
import { scattering } from "./operators/scattering.js";
import type { Become, OperatorTable } from "./operators/table.js";
import type { Refusal } from "./refusal.js";

const tables: readonly OperatorTable[] = [
  elementwise,
  reductions,
  movement,
  making,
  products,
  indexing,
  scattering,
  normalisation,
  quantisation,
  losses,
  convolutions,
  pooling,
  attentions,
  resampling,
  featureOperators,
  linearModels,
  encoders,
  bits,
  recurrence,
  treeEnsembles,
  controlFlow,
  gridSampling,
  fourier,
  fused,
  fusedAttentions,
  quantisedOperators,
  packedWeights,
];

const operators = new Map(tables.flatMap((table) => Object.entries(table)));

/** What an operator becomes in an opset; or why nothing. */
export function operatorFor(domain: string, name: string, opset: number): Become | Refusal {
  const versions = operators.get(domain === "" ? name : `${domain}.${name}`);
  if (versions === undefined) return "operator";
  const since = Object.keys(versions).map(Number);
  const applicable = since.filter((each) => each <= opset).sort((a, b) => b - a)[0];
  if (applicable === undefined) return { kind: "opset", since: Math.min(...since) };
  return versions[applicable] ?? "operator";
}

/** The newest opsets whose attributes all have been read: a row asks for those that matter to it. */
const newest: ReadonlyMap<string, number> = new Map([
  ["", 28],
  ["ai.onnx.ml", 5],
]);

/** Beyond it an attribute that a row does not ask for may say that a node means something else. */
export const newestOpset = (domain: string): number => newest.get(domain) ?? Number.POSITIVE_INFINITY;

/** All rows: an operator, and the opsets from one on to before another. */
export const operatorRows: readonly {
  readonly name: string;
  readonly since: number;
  readonly until: number;
}[] = [...operators].flatMap(([name, versions]) => {
  const since = Object.keys(versions).map(Number);
  return since.map((each) => ({
    name,
    since: each,
    until: Math.min(...since.filter((later) => later > each)),
  }));
});
