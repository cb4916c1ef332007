import { isMadeVolatile, isVolatile, type Node, type NodeOf } from "../../../../language/core/operations.js";
import { Origins } from "./origins.js";

/** Which nodes draw random numbers, or call a function that is not pure, so that they are others each time. */
export const drawsOf = (fallbacksOf: (node: NodeOf<"input">) => readonly Node[]): Origins =>
  new Origins(isVolatile, fallbacksOf);

/** Whether a node draws random numbers where no input is absent. */
export const drawsRandom = isMadeVolatile;
