import type { NodeImport } from "../node.js";

/** Writes what the outputs of a node are. */
export type Become = (node: NodeImport) => void;

/** Operators by name: what each becomes, by the opset from which on it does. Operators of other domains are named `domain.Name`. */
export type OperatorTable = Readonly<Record<string, Readonly<Record<number, Become>>>>;
