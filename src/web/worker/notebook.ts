import type { Dialect } from "../../index.js";
import { canonicalName, type Progress, type Tensor } from "../../index.js";
import type { CellId, DocumentCell } from "../document/page-document.js";
import type { NotebookRequest } from "../protocol.js";
import type { RunnableCell } from "./cell-program.js";
import { CellRun } from "./cell-run.js";
import type { CellValue } from "./cell-value.js";
import type { HandlerContext } from "./handler.js";

/**
 * The cells of a page with their values. They are computed from the top to the bottom, as the playground does: a name means the
 * last cell above that has it. A cell is computed again only if its text, or a value that it mentions, has changed.
 */
export class Notebook {
  /** In the order of the cells. */
  private runs = new Map<CellId, CellRun>();
  /** The end of the evaluations so far: each begins with what the one before has left, which is soon over where it was cancelled. */
  private latest: Promise<unknown> = Promise.resolve();
  dialect: Dialect = "formalism";

  /** When all that was asked so far is computed. */
  get settled(): Promise<unknown> {
    return this.latest;
  }

  get ids(): readonly CellId[] {
    return [...this.runs.keys()];
  }

  value(id: CellId, key: string): CellValue | undefined {
    return this.runs.get(id)?.values.find((each) => each.key === key);
  }

  run(id: CellId): CellRun | undefined {
    return this.runs.get(id);
  }

  isProgram(id: CellId): boolean {
    return this.runs.get(id)?.input.cell.kind === "program";
  }

  /** The values that names have for a cell: those of the last cells above that have them. */
  namesAbove(id: CellId): ReadonlyMap<string, Tensor> {
    const names = new Map<string, Tensor>();
    for (const [each, { tensor }] of this.runs) {
      if (each === id) break;
      const name = this.nameOf(each);
      if (name !== undefined && tensor !== undefined) names.set(name, tensor);
    }
    return names;
  }

  /** The cell that a name means for another one: the last one above that has a value, or has none as all others. */
  definitionAbove(id: CellId, name: string): CellId | undefined {
    const ids = [...this.runs.keys()];
    const above = ids.slice(0, Math.max(0, ids.indexOf(id))).filter((each) => this.nameOf(each) === name);
    return above.findLast((each) => this.runs.get(each)?.tensor !== undefined) ?? above.at(-1);
  }

  runsBelow(id: CellId): readonly CellRun[] {
    const runs = [...this.runs];
    return runs.slice(runs.findIndex(([each]) => each === id) + 1).map(([, run]) => run);
  }

  hasName(name: string): boolean {
    const canonical = canonicalName(name);
    return [...this.runs.keys()].some((id) => this.nameOf(id) === canonical);
  }

  /** The canonical name of a cell that has one. */
  nameOf(id: CellId): string | undefined {
    const cell = this.runs.get(id)?.input.cell;
    return cell === undefined ? undefined : nameOfCell(cell);
  }

  evaluate(
    request: NotebookRequest,
    context: HandlerContext<"evaluate">,
  ): Promise<{ readonly computed: number }> {
    const turn = this.latest.then(() => this.evaluateNext(request, context));
    this.latest = turn.catch(() => undefined); // whoever waits for the evaluation hears of it
    return turn;
  }

  private async evaluateNext(
    { dialect, cells, skipped }: NotebookRequest,
    { signal, note }: HandlerContext<"evaluate">,
  ): Promise<{ readonly computed: number }> {
    if (signal.aborted) return { computed: 0 };
    const previous = this.runs;
    // What is told of a cell may be asked about while those below it are still being computed.
    const current = new Map(previous);
    this.runs = current;
    this.dialect = dialect;
    const runs = new Map<CellId, CellRun>();
    const scope = new NotebookScope(cells);
    let computed = 0;
    for (const cell of cells) {
      if (cell.kind === "remark") continue;
      const earlier = previous.get(cell.id);
      const next = scope.runOf(cell, dialect);
      const isSkipped = skipped.includes(cell.id);
      const stays = earlier !== undefined && isSame(earlier, next) && (isSkipped || !earlier.isSkipped);
      const run = stays ? earlier.as(cell) : new CellRun(next, earlier);
      if (run !== earlier) {
        const progress = ({ steps, done, operations }: Omit<Progress, "span">): void =>
          note({ kind: "progress", id: cell.id, steps, done, operations });
        progress({ steps: 0, done: 0, operations: 0 });
        if (isSkipped) run.skip();
        else await run.run({ signal, progress });
        if (signal.aborted) break;
        keepEqual(run, earlier);
        computed++;
      }
      current.set(cell.id, run);
      runs.set(cell.id, run);
      scope.add(cell, run);
      if (run !== earlier) note(run.report);
    }
    // Of a request that was cancelled, what came before is as it should be.
    this.runs = signal.aborted ? current : runs;
    return { computed };
  }
}

/** The names above a cell: a value for each, or that it has none. */
class NotebookScope {
  private readonly tensors = new Map<string, Tensor>();
  private readonly missing = new Set<string>();

  constructor(private readonly cells: readonly DocumentCell[]) {}

  add(cell: RunnableCell, { tensor }: CellRun): void {
    const name = nameOfCell(cell);
    if (name === undefined) return;
    if (tensor !== undefined) {
      this.tensors.set(name, tensor);
      this.missing.delete(name);
    } else if (!this.tensors.has(name)) this.missing.add(name);
  }

  /** The names of cells below that a cell does not have from above. */
  private namesBelow(cell: RunnableCell): readonly string[] {
    const names = this.cells.slice(this.cells.indexOf(cell) + 1).flatMap((each) => nameOfCell(each) ?? []);
    return names.filter((name) => !this.tensors.has(name) && !this.missing.has(name));
  }

  /** What a cell is computed from: of the names, those whose words are all in its text. */
  runOf(cell: RunnableCell, dialect: Dialect): CellRun["input"] {
    const words = new Set(cell.text.match(/\w+/g));
    const isMentioned = (name: string): boolean =>
      (name.match(/\w+/g) ?? []).every((word) => words.has(word));
    const isProgram = cell.kind === "program";
    return {
      ...{ cell, dialect },
      inputs: new Map(isProgram ? [] : [...this.tensors].filter(([name]) => isMentioned(name))),
      missing: isProgram ? [] : [...this.missing].filter(isMentioned),
      below: this.namesBelow(cell).filter(isMentioned),
    };
  }
}

const nameOfCell = (cell: DocumentCell): string | undefined =>
  cell.kind === "expression" && cell.name !== "" ? canonicalName(cell.name) : undefined;

function isSame({ input }: CellRun, next: CellRun["input"]): boolean {
  return (
    input.cell.text === next.cell.text &&
    input.cell.kind === next.cell.kind &&
    input.dialect === next.dialect &&
    input.inputs.size === next.inputs.size &&
    [...input.inputs].every(([name, tensor]) => next.inputs.get(name) === tensor) &&
    input.missing.join() === next.missing.join() &&
    input.below.join() === next.below.join()
  );
}

/** The most cells of a tensor that is compared with what it was. */
const mostCompared = 100_000;

/** A value that is what it was before stays the same object, so that nothing that depends on it is computed again. */
function keepEqual(run: CellRun, earlier: CellRun | undefined): void {
  const [value] = run.values;
  const [before] = earlier?.values ?? [];
  if (value === undefined || before === undefined || run.values.length !== 1) return;
  if (value.tensor.data.length <= mostCompared && value.tensor.equals(before.tensor))
    run.keepValue(before.tensor);
}
