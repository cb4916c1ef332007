import { type Problem, SphexError } from "../../language/source/problem.js";

export function refuse(found: Problem): never {
  throw new SphexError([found]);
}
