import type { HostOperation } from "../core/operations.js";
import type { Spend, Store } from "../limits/spend.js";
import type { Span } from "../source/span.js";
import type { RepeatedCells } from "../syntax/literal-layout.js";
import type { TensorType } from "../types/type.js";
import type { Tensor } from "../values/tensor.js";
import type { FeatureResolver, TypeObserver } from "./checker.js";
import type { Deployment } from "./deployment/deployment.js";
import type { Dialect } from "./dialect.js";
import type { LoadModel } from "./models/models.js";

/** The inputs, features, limits and files that a program is checked with. */
export interface CheckOptions {
  readonly dialect: Dialect;
  /** What becomes of a cell that a literal writes twice; refused by default. */
  readonly repeatedCells?: RepeatedCells | undefined;
  /** Of a rank profile: what Vespa makes of its expressions. */
  readonly deployment?: Deployment | undefined;
  /** Inputs that the host declares, by canonical feature name. */
  readonly inputs: ReadonlyMap<string, TensorType>;
  /** Of inputs that the host declares in a text: the dimensions in the order in which they are written there. */
  readonly axes?: ReadonlyMap<string, readonly string[]>;
  /** Functions of the host, by name. */
  readonly functions?: ReadonlyMap<string, HostOperation>;
  /** The types of features without a declaration. */
  readonly features?: FeatureResolver;
  readonly cells: number;
  readonly expansions: number;
  readonly spend?: Spend | undefined;
  readonly observe?: TypeObserver | undefined;
  readonly store?: Store | undefined;
  /** Reads the tensor of `file("…")` with the axes as its type has them; throws a SphexError with the reason where it cannot. */
  readonly load?:
    | ((path: string, type: TensorType, span: Span, axes?: readonly string[], array?: string) => Tensor)
    | undefined;
  /** The types of inputs with the sizes that they have in a run, where the program is for inputs of these. */
  readonly runTypes?: ReadonlyMap<string, TensorType> | undefined;
  /** Reads models; a program that names one has a problem where the host has none. */
  readonly loadModel?: LoadModel | undefined;
}
