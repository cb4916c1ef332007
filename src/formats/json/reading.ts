import { type Problem, problem } from "../../language/source/problem.js";
import type { TensorType } from "../../language/types/type.js";
import { type JsonValue, shown } from "./value.js";

/** What is wrong with a JSON value, as problems with the path and the place of each. */

/** A million wrong cells need no million problems. */
const mostProblems = 20;

/** What is wrong so far. Readers go on after a complaint. */
export class JsonReading {
  readonly problems: Problem[] = [];

  get isSound(): boolean {
    return this.problems.length === 0;
  }

  /** Says that a value must be something else. */
  complain(value: JsonValue, expected: string, found = shown(value)): undefined {
    if (this.problems.length < mostProblems)
      this.problems.push(problem("json/shape", value.span, { path: value.path, found, wanted: expected }));
  }

  /** Says that a member of an object must be something else, or must be there. */
  complainOfMember(object: JsonValue, key: string, expected: string): undefined {
    if (this.problems.length >= mostProblems) return undefined;
    const value = object.member(key);
    if (value !== undefined) return this.complain(value, expected);
    const values = { path: object.pathTo(key), found: shown(value), wanted: expected };
    this.problems.push(problem("json/shape", object.span, values));
  }

  /** Says that a value has the address of an earlier one. */
  complainOfRepeat(value: JsonValue, earlier: JsonValue, expected: string): undefined {
    if (this.problems.length < mostProblems)
      this.complain(value, expected, `the address of ${earlier.path} again`);
  }
}

/** A reading of a tensor: with the type that it must have. */
export class Reading extends JsonReading {
  constructor(readonly type: TensorType) {
    super();
  }

  /** Says that a value names another type. */
  complainOfType(value: JsonValue, found: TensorType): undefined {
    const values = { path: value.path, found: `${found}`, wanted: `${this.type}` };
    this.problems.push(problem("json/type", value.span, values));
  }
}
