import { Meter } from "../../backends/meter.js";
import type { CheckOptions } from "../../language/check/check-options.js";
import type { TypeObserver } from "../../language/check/checker.js";
import { commentWarnings } from "../../language/check/statements/comment-warnings.js";
import { type CheckedProgram, checkSlices, invalidProgram } from "../../language/check/statements/program.js";
import { overflowProblem } from "../../language/limits/overflow.js";
import { atOnce, type Slices, slice } from "../../language/limits/slices.js";
import type { Spend } from "../../language/limits/spend.js";
import { append } from "../../language/source/lists.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { bytesToRead } from "../../language/syntax/estimate.js";
import {
  type Parsed,
  type ParsedProgram,
  parseExpression,
  parseProgram,
} from "../../language/syntax/parse.js";
import type { ProgramTree } from "../../language/syntax/tree.js";
import { declaredInputs, limitsOf, type Options } from "../options.js";
import { backendProblems } from "../runs/chosen-backend.js";
import { fileLoader, modelLoader } from "./file-loading.js";
import { hostOperations } from "./host-functions.js";

/** From a text to a checked program: it is read, its names and types are found, and all that is wrong with it is told. */

/** Reads a text in slices, and counts that as work. */
export type Parse = (spend: Spend) => Slices<ParsedText>;

/** A text that was read and checked: with all problems so far, what could be read of it, and the bytes that are stored for it. */
export interface CheckedText {
  readonly checked: CheckedProgram;
  readonly tree: ProgramTree | undefined;
  readonly bytes: number;
}

/** What the library adds to the options of a host. */
type MoreOptions = Pick<CheckOptions, "observe" | "runTypes">;

export function checkParsed(
  source: Source,
  parse: Parse,
  options: Options,
  observe?: TypeObserver,
): CheckedText {
  return atOnce(checkedSlices(source, parse, options, { observe }));
}

export function* checkedSlices(
  source: Source,
  parse: Parse,
  options: Options,
  more: MoreOptions = {},
): Slices<CheckedText> {
  const meter = new Meter(limitsOf(options), options.clock);
  const whole: Span = { source, start: 0, end: source.text.length };
  let tree: ProgramTree | undefined;
  const read: Parse = function* (spend) {
    const parsed = yield* parse(spend);
    tree = parsed.tree;
    return parsed;
  };
  const checked = yield* checkedWith(meter, whole, read, options, more);
  return { checked, tree, bytes: meter.bytes };
}

/** Characters of a text that is refused before it is read, if that takes more bytes than there may be. */
const longText = 1_000_000;

function* checkedWith(
  meter: Meter,
  whole: Span,
  parse: Parse,
  options: Options,
  more: MoreOptions,
): Slices<CheckedProgram> {
  let parsed: ParsedText = { tree: undefined, problems: [] };
  const { cells, expansions } = limitsOf(options);
  const store = (bytes: number, span: Span): void => meter.store(bytes, span);
  const spend = (work: number, span: Span): void => void meter.spend(work, span);
  try {
    store(2 * whole.source.text.length, whole);
    if (whole.source.text.length >= longText) meter.allowBytes(bytesToRead(whole.source.text), whole, true);
    parsed = yield* parse(spend);
    const tree = parsed.tree ?? { statements: [] };
    const dialect = options.dialect ?? "formalism";
    const checked = yield* checkSlices(tree, {
      dialect,
      cells,
      expansions,
      ...declaredInputs(options),
      functions: hostOperations(options),
      spend,
      ...more,
      store,
      load: fileLoader(options, store),
      loadModel: modelLoader(options, store),
    });
    const problems = checked.problems.filter((each) => !isLost(each, parsed.unparsedNames));
    append(problems, commentWarnings(tree));
    append(problems, backendProblems(checked, options));
    return { ...checked, problems: [...parsed.problems, ...problems].sort(byPosition) };
  } catch (error) {
    // Operators within brackets within the limit of nesting may still be more than the stack holds.
    const refusal = overflowProblem(error, whole);
    if (!(refusal instanceof SphexError)) throw error;
    return invalidProgram([...parsed.problems, ...refusal.problems]);
  }
}

/** What could be read of a text. */
type ParsedText = Parsed<ProgramTree> & Partial<Pick<ParsedProgram, "unparsedNames">>;

/** A name that only seems unknown, because the statement that defines it has a mistake of its own. */
function isLost({ code, values }: Problem, lost: ReadonlySet<string> = new Set()): boolean {
  if (code !== "name/unknown" && code !== "name/unknown-function") return false;
  return lost.has(/^\w+\((.*)\)$/.exec(values.name)?.[1] ?? values.name);
}

/** The order of problems by where they are, within each source. */
export const byPosition = (left: Problem, right: Problem): number =>
  left.span.source === right.span.source ? left.span.start - right.span.start : 0;

/** How a program is read. */
export const programReader =
  (source: Source, options: Options): Parse =>
  (spend) =>
    slice(() => parseProgram(source, limitsOf(options).nesting, undefined, spend));

/** How one expression is read: as a program whose only result it is. */
export const expressionReader =
  (source: Source, options: Options): Parse =>
  (spend) =>
    slice((): ParsedText => {
      const { tree, problems } = parseExpression(source, limitsOf(options).nesting, undefined, spend);
      if (tree === undefined) return { tree, problems };
      return { tree: { statements: [{ kind: "result", span: tree.span, expression: tree }] }, problems };
    });

/** @throws SphexError with the errors of a program that has some. */
export function requireSound({ problems }: CheckedProgram): void {
  const errors = problems.filter((each) => each.isError);
  if (errors.length > 0) throw new SphexError(errors);
}
