import {
  type Clock,
  type JsonValue,
  type Options,
  parseJson,
  parseTensor,
  SphexError,
  type Tensor,
  tensorJson,
} from "../../index.js";
import { typeName } from "./spec.js";
import { type Step, stepsOf, writtenParts } from "./steps.js";
import { Variables } from "./variables.js";
import { wireError } from "./wire.js";

/**
 * The evaluation protocol of the playground. A request is a list of `{cell, name, expr, verbose?}`, evaluated in their
 * order; a name that comes again is a new value. An answer is an object for each: `{cell, primitive?, type, value, same,
 * steps}`, or `{cell, primitive?, error, steps}`. The steps are JSON within JSON, as there.
 */
export interface Bounds {
  /** Expressions of a request. */
  readonly expressions: number;
  /** Cells of any tensor on the way. */
  readonly cells: number;
  /** Characters of all values together, about. */
  readonly characters: number;
  /** Milliseconds for a whole request. */
  readonly time: number;
}

/** A request that is none, or asks too much. Its message is what the playground shows. */
export class RequestError extends Error {}

interface Request {
  readonly cell: number;
  readonly name: string;
  readonly expression: string;
  readonly isVerbose: boolean;
}

/** Milliseconds for the steps, which are found without a pause. */
const timeOfDetails = 50;

/** Nodes and cells of a primitive form. What is shared is written out, and may be too long to read. */
const mostParts = 10_000;

/** Characters of a name. */
const longestName = 1000;

/** The most bytes of all tensors of a request for one expression. */
const mostBytes = 2 ** 28;

export async function answer(
  text: string,
  bounds: Bounds,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly object[]> {
  const requests = requestsIn(text, bounds);

  const deadline = clock() + bounds.time;
  const { cells, time } = bounds;
  const limits = { cells, bytes: mostBytes, nesting: 200, expansions: 10_000 };
  const variables = new Variables((): Options => ({ dialect: "vespa", clock, limits }));
  const answers: object[] = [];
  let remaining = bounds.characters;
  for (const { cell, name, expression, isVerbose } of requests) {
    const rest = Math.max(0, Math.round(deadline - clock()));
    const how = (ms: number): Options => ({ name: name || "expression", limits: { ...limits, time: ms } });
    try {
      if (rest === 0) throw new RequestError(`${time} ms for all cells are over`);
      const tensor = await variables.evaluate(expression, how(rest), signal);
      const length = lengthOf(tensor);
      if (length > remaining || tensor.type.rank > mostDimensions) throw new RequestError(tooLong);
      remaining -= length;
      const { primitive, steps } = detailsOf(variables, expression, how(Math.min(rest, timeOfDetails)));
      if (name !== "") variables.set(name, tensor);
      const outcome = { same: isSame(expression, tensor), steps: JSON.stringify(isVerbose ? steps : []) };
      answers.push({ cell, ...primitive, ...valueJson(tensor), ...outcome });
    } catch (error) {
      answers.push({ cell, error: errorText(error, expression), steps: "[]" });
    }
    await turn();
  }
  return answers;
}

/** About how long the answer with a tensor is: every cell comes with all of its labels. */
function lengthOf({ type, data, labels, blockCells }: Tensor): number {
  const ofLabels = labels.reduce((sum, row) => row.reduce((length, each) => length + each.length, sum), 0);
  return data.length * (type.rank + 1) * 10 + ofLabels * blockCells;
}

const mostDimensions = 100;
const tooLong = "this has a value, which is too long to be told: reduce it, or take a slice of it";

function errorText(error: unknown, expression: string): string {
  if (error instanceof RequestError) return error.message;
  if (error instanceof SphexError) return wireError(error, expression);
  throw error;
}

/** Lets other requests have theirs: what is not evaluated has no pauses. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Details {
  readonly primitive?: { readonly primitive: string };
  readonly steps: readonly Step[];
}

/** The primitive form and the steps; neither where telling them takes too long. */
function detailsOf(variables: Variables, expression: string, how: Options): Details {
  try {
    const explanation = variables.explain(expression, how);
    const steps = stepsOf(explanation);
    if (writtenParts(explanation) > mostParts) return { steps };
    return { primitive: { primitive: variables.primitive(expression, how) }, steps };
  } catch (error) {
    if (error instanceof SphexError) return { steps: [] };
    throw error;
  }
}

function requestsIn(text: string, { expressions }: Bounds): readonly Request[] {
  const { tree } = parseJson({ name: "json", text });
  if (tree === undefined) throw new RequestError("the field json is not JSON");
  if (tree.kind !== "array") throw new RequestError("the field json must be a list of cells");
  const cells = [...tree.items()];
  if (cells.length > expressions) {
    throw new RequestError(`there are ${cells.length} cells, and at most ${expressions} are evaluated`);
  }
  return cells.map(requestIn);
}

function requestIn(request: JsonValue, at: number): Request {
  const expression = request.member("expr")?.string;
  const named = request.member("name");
  const name = named === undefined ? "" : named.string;
  const cell = request.member("cell");
  if (expression === undefined) throw new RequestError(`[${at}].expr must be a text`);
  if (name === undefined || name.length > longestName) {
    throw new RequestError(`[${at}].name must be a text of at most ${longestName} characters`);
  }
  if (cell !== undefined && cell.number === undefined)
    throw new RequestError(`[${at}].cell must be a number`);
  const isVerbose = request.member("verbose")?.value === true;
  return { cell: cell?.number ?? at, name, expression, isVerbose };
}

function valueJson(tensor: Tensor): object {
  const { value: literal, cells } = tensorJson(tensor);
  const list = cells.map(([address, value]) => ({ address, value }));
  const type = typeName(tensor.type);
  return { type, value: tensor.type.isScalar ? list[0]?.value : { literal, cells: list } };
}

/** Whether the expression is the value already, so that it need not be shown again. */
function isSame(expression: string, tensor: Tensor): boolean {
  try {
    return parseTensor(expression, undefined, "vespa").equals(tensor);
  } catch (error) {
    if (error instanceof SphexError) return false;
    throw error;
  }
}
