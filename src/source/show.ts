import type { Problem } from "./problem.js";
export function showProblem(problem: Problem): string {
  return problem.message;
}
