import type { Exercise } from "./exercise.js";
import { matrixPuzzles } from "./matrix-puzzles.js";
import { modelPuzzles } from "./model-puzzles.js";
import { sparsePuzzles } from "./sparse-puzzles.js";
import { vectorPuzzles } from "./vector-puzzles.js";

export interface PuzzleGroup {
  readonly title: string;
  readonly puzzles: readonly Exercise[];
}

/** The puzzles, from the dot product to attention, in the order in which they are best solved. */
export const puzzleGroups: readonly PuzzleGroup[] = [
  { title: "Vectors", puzzles: vectorPuzzles },
  { title: "Matrices", puzzles: matrixPuzzles },
  { title: "Labels", puzzles: sparsePuzzles },
  { title: "Models", puzzles: modelPuzzles },
];
