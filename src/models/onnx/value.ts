import type { Shape } from "./axes.js";
import type { ElementType } from "./file/element-type.js";
import type { Numbers } from "./file/numbers.js";

/** A value of a graph while its program is written. */
export interface Value {
  /** A name of the program, or a number. */
  readonly text: string;
  readonly shape: Shape;
  readonly element: ElementType;
  /** The elements where they are constant, in the order of the shape. */
  readonly numbers?: Numbers | undefined;
  /** The inputs of the graph that the value depends on. */
  readonly sources: ReadonlySet<string>;
}
