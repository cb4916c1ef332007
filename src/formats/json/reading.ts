import { overflowOf } from "../../language/source/overflow.js";
import { type Problem, problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import { placeIn, repeatedKey } from "./place.js";
import { faultIn } from "./syntax.js";
import type { Json, Path } from "./text.js";

/** What is wrong with a JSON text, as problems with the path and the place of each. */

/** A million wrong cells need no million problems. */
const mostProblems = 20;

/** One reading of a text, or of a part of one: what is wrong so far. Readers go on after a complaint. */
export class JsonReading {
  readonly problems: Problem[] = [];

  /** Paths start from the value that lies in the span. */
  constructor(readonly root: Span) {}

  get isSound(): boolean {
    return this.problems.length === 0;
  }

  /** Says that a place must be something else. */
  complain(path: Path, found: string, wanted: string): undefined {
    if (this.problems.length >= mostProblems) return;
    this.problems.push(
      problem("json/shape", placeIn(this.root, path.keys), { path: `${path}`, found, wanted }),
    );
  }

  /** Says that an object has a label twice, which cannot be seen in its value. */
  complainOfRepeats(path: Path, wanted: string): void {
    const key = repeatedKey(this.root, path.keys);
    if (key !== undefined) this.complain(path.at(key), `the address of ${path.at(key)} again`, wanted);
  }

  /** The value of the text, or nothing where it is no JSON. */
  parse(): Json | undefined {
    try {
      return JSON.parse(this.root.source.text.slice(this.root.start, this.root.end));
    } catch (error) {
      this.problems.push(this.syntaxProblem(error));
      return undefined;
    }
  }

  private syntaxProblem(error: unknown): Problem {
    const { root } = this;
    const overflow = overflowOf(error);
    if (overflow !== undefined) return problem(overflow, root, {});
    if (!(error instanceof SyntaxError)) throw error;
    const { source } = root;
    const fault = faultIn(source.text, root.start, root.end);
    const { start, end, wanted } = fault ?? { ...root, wanted: "JSON" };
    const found = source.text.slice(start, Math.min(end, start + 40));
    return problem("json/syntax", { source, start, end }, { found: found && JSON.stringify(found), wanted });
  }
}

/** A reading of a tensor: with the type that is wanted. */
export class Reading extends JsonReading {
  constructor(
    root: Span,
    readonly type: TensorType,
  ) {
    super(root);
  }

  /** Says that a place names another type. */
  complainOfType(path: Path, found: TensorType): undefined {
    this.problems.push(
      problem("json/type", placeIn(this.root, path.keys), {
        path: `${path}`,
        found: `${found}`,
        wanted: `${this.type}`,
      }),
    );
  }
}

/** All of a text. */
export const wholeOf = (source: Source): Span => ({ source, start: 0, end: source.text.length });
