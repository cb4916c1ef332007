import type { HostOperation } from "../../core/operations.js";
import { overflowOf } from "../../limits/overflow.js";
import { shortened } from "../../source/message.js";
import { SphexError } from "../../source/problem.js";
import type { Span } from "../../source/span.js";
import { thrownText } from "../../source/thrown.js";
import { cellTypes } from "../../types/cell.js";
import type { TensorType } from "../../types/type.js";
import { Tensor } from "../../values/tensor.js";
import { problem } from "../messages.js";
import type { ComputeOutput, Model } from "./models.js";

/** What a call of a model that another runtime computes asks for. */
export interface ComputedOutput {
  /** What the program calls the model. */
  readonly name: string;
  readonly model: Model;
  readonly compute: ComputeOutput;
  /** The position of the output. */
  readonly at: number;
  readonly parameters: readonly TensorType[];
  readonly returns: TensorType;
}

/**
 * The type with the sizes that the output has where all inputs are 0: those that nothing in the file decides. Nothing where that
 * cannot be told at once.
 * @throws SphexError at the span where the runtime fails.
 */
export function sampledType(output: ComputedOutput, span: Span): TensorType | undefined {
  const inputs = output.parameters.map((type) => ({ type, cells: cellsIn(type) }));
  if (inputs.reduce((sum, { cells }) => sum + cells, 0) > mostSampled) return undefined;
  const zeros = inputs.map(({ type, cells }) => Tensor.from(type, cellTypes[type.cellType].allocate(cells)));
  const sample = outputOperation(output).call(zeros, span);
  if (sample instanceof Tensor) return sample.type;
  sample.catch(() => undefined); // nobody waits for it
  return undefined;
}

const cellsIn = ({ dimensions }: TensorType): number =>
  dimensions.reduce((product, { size = 1 }) => product * size, 1);

/** Cells of all inputs of a sample. */
const mostSampled = 10_000_000;

/** An output of a model that another runtime computes, as a function of the host of all inputs. */
export function outputOperation(output: ComputedOutput): HostOperation {
  const { name, model, compute, at, parameters, returns } = output;
  return {
    name: `${name}.${model.outputs[at]?.name}`,
    description: "An output of a model.",
    isPure: true,
    parameters,
    returns,
    call: (values, span) => {
      try {
        const value = compute(at, returns, values);
        if (!(value instanceof Promise)) return value;
        return value.catch((error: unknown) => {
          throw failure(name, span, error);
        });
      } catch (error) {
        throw failure(name, span, error);
      }
    },
  };
}

/** Characters of a reason: runtimes tell the node, with its types, before they come to what is wrong. */
const mostOfReason = 400;

/** A full stack is the machine's, wherever it was found; everything else is a matter of the runtime. */
function failure(name: string, span: Span, error: unknown): unknown {
  if (overflowOf(error) !== undefined) return error;
  const reason = shortened(thrownText(error), mostOfReason);
  return new SphexError([problem("model/failed", span, { name, reason })], { cause: error });
}
