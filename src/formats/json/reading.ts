import type { Problem } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import { type ExpectedInJson, type FoundInJson, type JsonShape, problem } from "./messages.js";
import type { JsonValue } from "./value.js";

/** What is wrong with a JSON value, as problems with the path and the place of each. */

/** A million wrong cells need no million problems. */
const mostProblems = 20;

/** What is wrong so far. Readers go on after a complaint. */
export class JsonReading<Expected> {
  readonly problems: Problem[] = [];

  /** Each kind of document has its own message for a value that is not what it should be. */
  constructor(private readonly problemAt: (span: Span, values: JsonShape<Expected>) => Problem) {}

  get isSound(): boolean {
    return this.problems.length === 0;
  }

  /** Says that a value must be something else. */
  report(value: JsonValue, expected: Expected, found: FoundInJson = { kind: "value", value }): undefined {
    if (this.problems.length < mostProblems)
      this.problems.push(this.problemAt(value.span, { path: value.path, found, expected }));
  }

  /** Says that a member of an object must be something else, or must be there. */
  reportMember(object: JsonValue, key: string, expected: Expected): undefined {
    if (this.problems.length >= mostProblems) return undefined;
    const value = object.member(key);
    if (value !== undefined) return this.report(value, expected);
    const found = { kind: "value", value } as const;
    this.problems.push(this.problemAt(object.span, { path: object.pathTo(key), found, expected }));
  }

  /** Says that a value has the address of an earlier one. */
  reportRepeat(value: JsonValue, earlier: JsonValue, expected: Expected): undefined {
    if (this.problems.length < mostProblems)
      this.report(value, expected, { kind: "same address", of: earlier.path });
  }
}

/** A reading of the JSON of a tensor. */
export class TensorReading extends JsonReading<ExpectedInJson> {
  constructor() {
    super((span, values) => problem("json/shape", span, values));
  }
}

/** A reading of a tensor: with the type that it must have. */
export class Reading extends TensorReading {
  /** Whether a whole number may be a label, as in the documents that Vespa is fed. */
  readonly hasNumberLabels: boolean;
  /** How many cells it may have. */
  readonly cells: number | undefined;

  constructor(
    readonly type: TensorType,
    options: { readonly hasNumberLabels?: boolean; readonly cells?: number } = {},
  ) {
    super();
    this.hasNumberLabels = options.hasNumberLabels ?? false;
    this.cells = options.cells;
  }

  /** Says that a value names another type. */
  reportType(value: JsonValue, type: TensorType): undefined {
    const values = { path: value.path, type, declared: this.type };
    this.problems.push(problem("json/type", value.span, values));
  }
}
