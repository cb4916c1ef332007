import { cellsIn } from "./axes.js";
import { elementTypes } from "./file/element-type.js";
import type { ModelProto, NodeProto, TensorProto } from "./file/protos.js";

/** What there is to know of a model before it is imported. */
export interface OnnxSummary {
  readonly producer: string;
  readonly opsets: ReadonlyMap<string, number>;
  /** How often each operator is used, the branches of an `If` and the bodies of loops and functions included. */
  readonly operators: ReadonlyMap<string, number>;
  /** How many numbers the model has learnt: all of its tensors but those of whole numbers of 64 bits, which are shapes and indexes. */
  readonly parameters: number;
}

/** A graph, or the body of a function, which has no tensors but those of its nodes. */
interface Subgraph {
  readonly node: readonly NodeProto[];
  readonly initializer?: readonly TensorProto[];
}

export function summaryOf({ graph, functions, opsetImport, producerName }: ModelProto): OnnxSummary {
  const operators = new Map<string, number>();
  let parameters = 0;
  const parts: Subgraph[] = [...(graph === undefined ? [] : [graph]), ...functions];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    for (const tensor of part.initializer ?? []) parameters += learntIn(tensor);
    for (const { opType, attribute } of part.node) {
      operators.set(opType, (operators.get(opType) ?? 0) + 1);
      for (const { g, t } of attribute) {
        if (g !== undefined) parts.push(g);
        if (t !== undefined && opType === "Constant") parameters += learntIn(t);
      }
    }
  }
  return {
    producer: producerName,
    opsets: new Map(opsetImport.map(({ domain, version }) => [domain === "" ? "ai.onnx" : domain, version])),
    operators: new Map([...operators].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))),
    parameters,
  };
}

const learntIn = ({ dims, dataType }: TensorProto): number =>
  dataType === elementTypes.int64.code ? 0 : cellsIn(dims);
