import { numberText } from "../../language/values/text.js";
import { heaviest } from "./largest-contributions.js";
import type { DescribedCell, NotFinite } from "./not-finite.js";
import { addressText, branch, type Column, type DisplayOptions, tableLines } from "./table.js";
import type { Contribution, Why, WhyStep } from "./why.js";

/** The provenance of a cell as text: a tree of steps, each with its cell, its value and its operation. */

/** The most rows, levels, and contributions to one cell that are shown. */
const mostRows = 500;
const deepest = 20;
const mostListed = 10;

const columns: readonly Column[] = [
  { side: "start", maxWidth: 80 },
  { side: "start", maxWidth: 40 },
  { side: "end", maxWidth: 26 },
  { side: "start", maxWidth: 50 },
];

export function showWhy({ steps }: Why, options: DisplayOptions = {}): string {
  const rows: string[][] = [];
  const shown = new Set<WhyStep>();
  let omitted = 0;

  const walk = (contribution: Contribution, depth: number, above: string, isLast: boolean): void => {
    if (rows.length >= mostRows) {
      omitted++;
      return;
    }
    const { line, below } = branch(depth, above, isLast);
    const step = contribution.step === undefined ? undefined : steps[contribution.step];
    const role =
      impliedRoles.has(contribution.role) || step?.description === contribution.role ? "" : contribution.role;
    if (step === undefined) {
      rows.push([`${line}…`, addressText(contribution.address), valueText(contribution.value), role]);
      return;
    }
    const descriptions = role === "" ? [step.description] : [step.description, role];
    const from = shown.has(step) || depth >= deepest ? [] : step.contributions;
    if (step.contributions.length > 0 && from.length === 0)
      descriptions.push(shown.has(step) ? "as above" : "more below");
    shown.add(step);
    rows.push([
      `${line}${step.text}`,
      addressText(step.address),
      valueText(step.value, step),
      descriptions.join(", "),
    ]);
    const shownContributions = from.filter(({ role }) => role !== "other");
    const listed = heaviest(shownContributions, mostListed);
    const others = from.length === 0 ? 0 : from.length - listed.length + step.others;
    for (const [at, each] of listed.entries())
      walk(each, depth + 1, below, at === listed.length - 1 && others === 0);
    const rest = shownContributions.length < from.length ? `among ${others} cells` : `and ${others} others`;
    if (others > 0) rows.push([`${branch(depth + 1, below, true).line}${rest}`]);
  };
  const [first] = steps;
  if (first !== undefined) walk({ ...first, role: "", step: 0 }, 0, "", true);
  const lines = tableLines(columns, rows, options);
  if (omitted > 0) lines.push(`… and ${omitted} more`);
  return lines.join("\n");
}

/** Roles that are clear from the order of the lines. */
const impliedRoles = new Set(["cell", "left", "right", "body", "value", "branch", "argument", "x", "y"]);

const valueText = (value: number | undefined, step?: DescribedCell): string =>
  value === undefined ? "absent" : numberText(value, step?.type.cellType);

export function showNotFinite({ arises, sources }: NotFinite, options: DisplayOptions = {}): string {
  const head =
    arises === undefined
      ? ["no NaN and no infinity arises"]
      : [
          `${valueText(arises.cell.value)} first arises in ${cellText(arises.cell)}`,
          showWhy(arises.why, options),
        ];
  const others = sources.map(({ cell, count }) => {
    const cells = count === 1 ? "" : `, and ${count - 1} more cells that are not finite`;
    return `${valueText(cell.value)} is given in ${cellText(cell)}${cells}`;
  });
  return [...head, ...others].join("\n");
}

/** `a * b{x:0}` in one line. */
function cellText({ text, address, description }: DescribedCell): string {
  const [line = ""] = tableLines(
    [{ side: "start", maxWidth: 200 }],
    [[`${text} ${addressText(address)}`.trimEnd()]],
  );
  const [descriptions = ""] = tableLines([{ side: "start", maxWidth: 60 }], [[description]]);
  return `${line} (${descriptions})`;
}
