import { cellsIn } from "../axes.js";
import type { Constant } from "./constant.js";
import type { TensorProto } from "./protos.js";

/**
 * The texts of a model, such as the labels of its classes, of which a program has numbers: each text is the place that it has among
 * those of the model, from 0, in the order in which these first come up.
 */
export class Texts {
  private readonly numbers = new Map<string, number>();

  number(text: string): number {
    const number = this.numbers.get(text) ?? this.numbers.size;
    this.numbers.set(text, number);
    return number;
  }

  /** In the order of their numbers. */
  get all(): readonly string[] {
    return [...this.numbers.keys()];
  }

  /** A tensor of texts as one of their numbers; nothing of any other. */
  constant({ dataType, dims, stringData }: TensorProto): Constant | undefined {
    if (dataType !== textCode || stringData.length !== cellsIn(dims)) return undefined;
    return { element: "int64", shape: dims, numbers: stringData.map((text) => this.number(text)) };
  }
}

/** The number that ONNX has for elements that are texts. */
export const textCode = 8;
