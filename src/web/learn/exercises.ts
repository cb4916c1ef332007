import type { Exercise } from "./exercise.js";
import { puzzleGroups } from "./puzzles.js";
import { tour } from "./tour.js";

/** All exercises, those of the tour first. */
const exercises: readonly Exercise[] = [
  ...tour.map(({ exercise }) => exercise),
  ...puzzleGroups.flatMap(({ puzzles }) => puzzles),
];

export function exerciseNamed(id: string): Exercise {
  const found = exercises.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no exercise ${id}`);
  return found;
}
