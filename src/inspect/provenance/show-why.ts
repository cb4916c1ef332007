import { numberText } from "../../language/values/text.js";
import { addressText, aligned, branch, type Column, type Room } from "./table.js";
import type { NotFinite, ToldCell } from "./not-finite.js";
import { heaviest } from "./largest-contributions.js";
import type { Contribution, Why, WhyStep } from "./why.js";

/** The making of a cell as people read it: a tree of steps, each with its cell, its value and its operation. */

/** Rows and levels that are shown, and contributions to one cell: more than that nobody reads. */
const mostRows = 500;
const deepest = 20;
const mostListed = 10;

const columns: readonly Column[] = [
  { side: "start", most: 80 },
  { side: "start", most: 40 },
  { side: "end", most: 26 },
  { side: "start", most: 50 },
];

export function showWhy({ steps }: Why, room: Room = {}): string {
  const rows: string[][] = [];
  const shown = new Set<WhyStep>();
  let unseen = 0;

  const walk = (made: Contribution, depth: number, above: string, isLast: boolean): void => {
    if (rows.length >= mostRows) {
      unseen++;
      return;
    }
    const { line, below } = branch(depth, above, isLast);
    const step = made.step === undefined ? undefined : steps[made.step];
    const role = plain.has(made.role) || step?.says === made.role ? "" : made.role;
    if (step === undefined) {
      rows.push([`${line}…`, addressText(made.address), valueText(made.value), role]);
      return;
    }
    const words = role === "" ? [step.says] : [step.says, role];
    const from = shown.has(step) || depth >= deepest ? [] : step.contributions;
    if (step.contributions.length > 0 && from.length === 0)
      words.push(shown.has(step) ? "as above" : "more below");
    shown.add(step);
    rows.push([
      `${line}${step.text}`,
      addressText(step.address),
      valueText(step.value, step),
      words.join(", "),
    ]);
    const told = from.filter(({ role }) => role !== "other");
    const listed = heaviest(told, mostListed);
    const others = from.length === 0 ? 0 : from.length - listed.length + step.others;
    for (const [at, each] of listed.entries())
      walk(each, depth + 1, below, at === listed.length - 1 && others === 0);
    const rest = told.length < from.length ? `among ${others} cells` : `and ${others} others`;
    if (others > 0) rows.push([`${branch(depth + 1, below, true).line}${rest}`]);
  };
  const [first] = steps;
  if (first !== undefined) walk({ ...first, role: "", step: 0 }, 0, "", true);
  const lines = aligned(columns, rows, room);
  if (unseen > 0) lines.push(`… and ${unseen} more`);
  return lines.join("\n");
}

/** Roles that the order of the lines tells. */
const plain = new Set(["cell", "left", "right", "body", "value", "branch", "argument", "x", "y"]);

const valueText = (value: number | undefined, step?: ToldCell): string =>
  value === undefined ? "absent" : numberText(value, step?.type.cellType);

export function showNotFinite({ arises, given }: NotFinite, room: Room = {}): string {
  const head =
    arises === undefined
      ? ["no NaN and no infinity arises"]
      : [
          `${valueText(arises.cell.value)} first arises in ${cellText(arises.cell)}`,
          showWhy(arises.why, room),
        ];
  const others = given.map(({ cell, count }) => {
    const cells = count === 1 ? "" : `, and ${count - 1} more cells that are not finite`;
    return `${valueText(cell.value)} is given in ${cellText(cell)}${cells}`;
  });
  return [...head, ...others].join("\n");
}

/** `a * b{x:0}` in one line. */
function cellText({ text, address, says }: ToldCell): string {
  const [line = ""] = aligned(
    [{ side: "start", most: 200 }],
    [[`${text} ${addressText(address)}`.trimEnd()]],
  );
  const [words = ""] = aligned([{ side: "start", most: 60 }], [[says]]);
  return `${line} (${words})`;
}
