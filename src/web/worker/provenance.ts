import {
  type Address,
  escapeHidden,
  shortNumber,
  showNotFinite,
  type Why,
  type WhyStep,
} from "../../index.js";
import type { CellId } from "../document/page-document.js";
import type {
  NotFiniteReport,
  PageAddress,
  PageStep,
  ValueReference,
  WhyReport,
  WhyRequest,
  WhySource,
} from "../protocol.js";
import type { CellRun } from "./cell-run.js";
import { expressionText } from "./explaining.js";
import type { Notebook } from "./notebook.js";

/** How many steps are told of a cell, and how many cells of the page light up. */
const mostSteps = 400;
const mostCells = 2000;

/** Where a cell came from, followed through the names of the cells above. */
export function whyReport(notebook: Notebook, { id, key, address }: WhyRequest): WhyReport {
  const run = notebook.run(id);
  if (run === undefined) return { steps: [], sources: [], isCut: false };
  const first = whyOf(run, key, address);
  const sources = new Sources();
  const open: (ValueReference & { readonly why: Why })[] = [{ id, key, why: first }];
  for (let at = 0; at < open.length && !sources.isFull; at++) {
    const next = open[at];
    if (next === undefined) continue;
    const here = notebook.run(next.id);
    if (here === undefined) continue;
    for (const step of next.why.steps) {
      for (const own of valuesOfStep(here, step))
        if (own !== next.key) sources.add({ id: next.id, key: own }, step.address);
      const cell = inputCell(notebook, next.id, step);
      const above = cell === undefined ? undefined : notebook.run(cell);
      if (cell === undefined || above === undefined) continue;
      if (sources.add({ id: cell, key: "" }, step.address))
        open.push({ id: cell, key: "", why: whyOf(above, "", step.address) });
    }
  }
  const { steps } = first;
  return {
    steps: steps.slice(0, mostSteps).map(pageStep),
    sources: sources.list,
    isCut: sources.isFull || steps.length > mostSteps,
  };
}

function whyOf(run: CellRun, key: string, address: Address): Why {
  const { compiled } = run;
  if (compiled === undefined) return { steps: [] };
  return compiled.why(address, run.inputValues, { ...resultOption(key), steps: mostCells });
}

/** Which result of its program a value of a cell is: by its name, or its position. */
function resultOption(key: string): { readonly result?: string | number } {
  if (key === "") return {};
  return { result: /^\d+$/.test(key) ? Number(key) - 1 : key };
}

/** The cell of the page whose value a step reads. */
function inputCell(notebook: Notebook, id: CellId, { operation, description }: WhyStep): CellId | undefined {
  if (operation !== "input") return undefined;
  return notebook.definitionAbove(id, description.replace(/^input /, ""));
}

/** The named values of a program that a step is a cell of: those that the page shows. */
const valuesOfStep = ({ input: { cell } }: CellRun, { values = [] }: WhyStep): readonly string[] =>
  cell.kind === "program" ? values : [];

/** Cells of values, each once. */
class Sources {
  private readonly addresses = new Map<string, WhySource & { readonly addresses: PageAddress[] }>();
  private readonly seen = new Set<string>();

  get isFull(): boolean {
    return this.seen.size >= mostCells;
  }

  get list(): readonly WhySource[] {
    return [...this.addresses.values()];
  }

  /** Whether the cell was not there before. */
  add({ id, key }: ValueReference, address: PageAddress): boolean {
    const value = JSON.stringify([id, key]);
    const cell = `${value} ${JSON.stringify(address)}`;
    if (this.seen.has(cell)) return false;
    this.seen.add(cell);
    const source = this.addresses.get(value) ?? { id, key, addresses: [] };
    source.addresses.push(address);
    this.addresses.set(value, source);
    return true;
  }
}

const pageStep = (step: WhyStep): PageStep => ({
  description: escapeHidden(step.description),
  text: expressionText(step),
  address: addressText(step.address),
  value: valueText(step.value),
  start: step.span.start,
  end: step.span.end,
  contributions: step.contributions.map((each) => ({
    role: escapeHidden(each.role),
    address: addressText(each.address),
    value: valueText(each.value),
    step: each.step,
  })),
  others: step.others,
});

const addressText = (address: PageAddress): string => {
  const parts = Object.entries(address).map(([name, label]) => `${name}:${label}`);
  return parts.length === 0 ? "" : escapeHidden(`{${parts.join(", ")}}`);
};

const valueText = (value: number | undefined): string =>
  value === undefined ? "no cell" : shortNumber(value, "double");

/** Where a value stops being finite, followed upwards through the cells that it comes from. */
export function notFiniteReport(notebook: Notebook, { id, key }: ValueReference): NotFiniteReport {
  const none = { text: "", id, start: 0, end: 0 };
  const run = notebook.run(id);
  if (run?.compiled === undefined) return none;
  const found = run.compiled.whyNotFinite(run.inputValues, resultOption(key));
  if (found.arises !== undefined) {
    const { span } = found.arises.cell;
    return { text: escapeHidden(showNotFinite(found)), id, start: span.start, end: span.end };
  }
  for (const { cell } of found.sources) {
    const above = inputCell(notebook, id, { ...cell, contributions: [], others: 0 });
    if (above !== undefined) return notFiniteReport(notebook, { id: above, key: "" });
  }
  const [source] = found.sources;
  if (source === undefined) return none;
  const { span } = source.cell;
  return { text: escapeHidden(showNotFinite(found)), id, start: span.start, end: span.end };
}
