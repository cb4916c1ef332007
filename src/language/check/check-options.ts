import type { HostOperation } from "../core/operations.js";
import type { Span } from "../source/span.js";
import type { TensorType } from "../types/type.js";
import type { Tensor } from "../values/tensor.js";
import type { CheckContext } from "./checker.js";
import type { LoadModel } from "./models/models.js";

/** What a program is checked by that each of its expressions is, too. */
type ExpressionOptions = Pick<
  CheckContext,
  | "dialect"
  | "repeatedCells"
  | "deployment"
  | "features"
  | "cells"
  | "expansions"
  | "spend"
  | "observe"
  | "store"
  | "runTypes"
>;

/**
 * Reads the tensor of `file("path")`, of a type whose dimensions were written in the order of the axes; the span is that of the path.
 * @throws SphexError with the reason where it cannot.
 */
export type LoadFile = (
  path: string,
  type: TensorType,
  span: Span,
  axes?: readonly string[],
  /** Of an archive of several. */
  array?: string,
) => Tensor;

/** The inputs, features, limits and files that a program is checked with. */
export interface CheckOptions extends ExpressionOptions {
  /** Inputs that the host declares, by canonical feature name. */
  readonly inputs: ReadonlyMap<string, TensorType>;
  /** Of inputs that the host declares in a text: the dimensions in the order in which they are written there. */
  readonly axes?: ReadonlyMap<string, readonly string[]>;
  /** Functions of the host, by name. */
  readonly functions?: ReadonlyMap<string, HostOperation>;
  /** Reads the tensors that a program names; one that it names is a problem where the host reads none. */
  readonly load?: LoadFile | undefined;
  /** Reads models; a program that names one has a problem where the host has none. */
  readonly loadModel?: LoadModel | undefined;
}
