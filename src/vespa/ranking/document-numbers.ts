import { SphexError } from "../../language/source/problem.js";
import { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import type { Document } from "./document/document.js";
import { type Source, unsaidField, type Value } from "./features/feature-source.js";
import type { NumberRun } from "./run.js";

type DocumentSource = Extract<Source, { kind: "document" }>;

/**
 * One number of document after document, where all else that it depends on is fixed: nothing is looked up, or made, but what
 * the document has. What is not so plain has no number here, and is computed with all checks.
 */
export class DocumentNumbers {
  private readonly entries: readonly (readonly [string, DocumentSource])[];

  constructor(
    private readonly prepared: NumberRun,
    sources: ReadonlyMap<string, DocumentSource>,
  ) {
    this.entries = [...sources];
  }

  /** Nothing where the document may lack a field, or has a wrong one. */
  of(document: Document): number | undefined {
    const { inputs, run } = this.prepared;
    if (!document.isWhole) return undefined;
    try {
      for (const [name, source] of this.entries)
        if (source.madeOf !== undefined && unsaidField(source, document) !== undefined) return undefined;
        else inputs[name] = tensorOf(source.of(document));
    } catch (error) {
      if (error instanceof SphexError) return undefined;
      throw error;
    }
    return run();
  }
}

export const tensorOf = (value: Value): Tensor =>
  typeof value === "number" ? Tensor.scalar(value, TensorType.scalar) : value;
