import { error, portability, warning } from "../source/message.js";
import { problemsOf } from "../source/problem.js";
import { dimensionText, type TensorType } from "./type.js";

/** A dimension by its name, and the type that it should fit. */
export interface DimensionInType {
  readonly dimension: string;
  readonly type: TensorType;
}

/** The types of two operands. */
interface Operands {
  readonly left: TensorType;
  readonly right: TensorType;
}

/** Two operands that disagree about a dimension which both have. */
interface Disagreement extends Operands {
  readonly dimension: string;
}

/** `x[3] and x[4]`: the dimension as each operand has it. */
function bothSizes({ left, right, dimension }: Disagreement): string {
  return [left, right]
    .map((type) => type.dimension(dimension))
    .map((each) => (each === undefined ? dimension : dimensionText(each)))
    .join(" and ");
}

const bothTypes = ({ left, right }: Operands): string => `${left} and ${right}`;

/** A function by its name, an operator by its symbol. */
const called = (by: string): string => (/^\w/.test(by) ? by : `\`${by}\``);

/** What can be wrong with the types that an operation is applied to. */
export const typeMessages = {
  "type/size-mismatch": portability((values: Disagreement & { by: string }) => ({
    message: `these tensors disagree about the size of ${values.dimension}: ${called(values.by)} takes only the overlap`,
    found: bothSizes(values),
    expected: `the same size on both sides of ${called(values.by)}`,
    hint: "slice or rename one of them",
  })),
  "type/concat-size": portability((values: Disagreement & { along: string }) => ({
    message: `these tensors disagree about the size of ${values.dimension}: the shorter one is padded with zeros`,
    found: bothSizes(values),
    expected: `the same size in every dimension except ${values.along}`,
  })),
  "type/concat-unbound": warning(({ dimension, along }: { dimension: string; along: string }) => ({
    message: `the sizes of ${dimension} are not known here: where they differ, the Paper pads with zeros and Vespa cuts`,
    found: `${dimension}[]`,
    expected: `a size in every dimension except ${along}`,
  })),
  "type/kind-clash": error((values: Disagreement & { by: string }) => ({
    message: `${values.dimension} is a mapped dimension on one side of ${called(values.by)} and an indexed one on the other`,
    found: bothTypes(values),
    expected: "the same kind on both sides",
    hint: "rename one of them",
  })),
  "type/merge-dimensions": error((values: Operands) => ({
    message: "merge needs the same dimensions on both sides",
    found: bothTypes(values),
    expected: "the same dimensions",
  })),
  "type/merge-size": error((values: Disagreement) => ({
    message: `merge needs the same size of ${values.dimension} on both sides`,
    found: bothTypes(values),
    expected: "the same sizes",
  })),
  "type/concat-mapped": error(({ dimension, type }: { dimension: string; type: TensorType }) => ({
    message: `concat cannot lay tensors end to end along ${dimension}, which is mapped`,
    found: `${type}`,
    expected: "an indexed dimension, or a new one",
    hint: "merge combines tensors with mapped dimensions",
  })),
  "type/branches": error((values: Operands) => ({
    message: "both branches must have the same dimensions",
    found: bothTypes(values),
    expected: "the same dimensions and sizes",
  })),
  "type/subspace-mapped": error(({ type }: { type: TensorType }) => ({
    message: "the lambda of map_subspaces must return a dense tensor or a number",
    found: `${type}`,
    expected: "no mapped dimension",
  })),
  "type/subspace-clash": error(({ dimension, type }: { dimension: string; type: TensorType }) => ({
    message: `the lambda's result has a dimension ${dimension}, which the outer tensor has too`,
    found: `${type}`,
    expected: "dimensions other than the mapped ones of the outer tensor",
    hint: "rename it inside the lambda",
  })),
};

declare module "../source/problem.js" {
  interface MessageTables {
    readonly "language/types": typeof typeMessages;
  }
}

export const problem = problemsOf<"language/types">(typeMessages);
