import { requireArgument } from "../../language/source/arguments.js";
import { clip, columnsOf } from "../../language/source/columns.js";
import { labelText } from "../../language/source/escapes.js";
import { checkCallOptions } from "../../language/source/option-rule.js";
import type { TextAddress } from "../../language/values/address.js";
import { requireTensor } from "../../language/values/arguments.js";
import type { Tensor } from "../../language/values/tensor.js";
import { numberText } from "../../language/values/text.js";
import { branch, type Column, type DisplayOptions, displayRules, tableLines } from "../table.js";
import { qualifiedText } from "./descriptions.js";
import { heaviest } from "./largest-contributions.js";
import type { DescribedCell, NotFinite } from "./not-finite.js";
import type { Contribution, Why, WhyStep } from "./why.js";

/** The provenance of a cell as text: a tree of steps, each with its cell, its value and its operation. */

/** The most rows, levels, and contributions to one cell that are shown. */
const mostRows = 500;
const deepest = 20;
const mostListed = 10;

/** A line of the tree, and what is told beside it. */
interface WhyRow {
  readonly label: string;
  readonly address?: string;
  readonly value?: string;
  readonly description?: string;
}

// biome-ignore format: a table
const columns: readonly Column<WhyRow>[] = [
  { side: "start", maxWidth: 80, text: ({ label }) => label },
  { side: "start", maxWidth: 40, text: ({ address = "" }) => address },
  { side: "end",   maxWidth: 26, text: ({ value = "" }) => value },
  { side: "start", maxWidth: 50, text: ({ description = "" }) => description },
];

/** As a tree of lines how a cell came about: each contribution under what it contributes to. */
export function showWhy(why: Why, options: DisplayOptions = {}): string {
  requireArgument("showWhy", "output", why, Array.isArray(Object(why).steps));
  checkCallOptions("showWhy", options, displayRules);
  const tree = new WhyTree(why.steps);
  const lines = tableLines(columns, tree.rows, options);
  if (tree.omitted > 0) lines.push(`… and ${tree.omitted} more`);
  return lines.join("\n");
}

/** Where a line of the tree is. */
interface Branch {
  readonly depth: number;
  readonly above: string;
  readonly isLast: boolean;
}

/** The lines of the tree from the first step on: what contributes to a step stands below the first line that shows it. */
class WhyTree {
  readonly rows: WhyRow[] = [];
  /** How many contributions had no row left. */
  omitted = 0;
  private readonly shown = new Set<WhyStep>();

  constructor(private readonly steps: readonly WhyStep[]) {
    const [first] = steps;
    if (first !== undefined) this.add({ ...first, role: "", step: 0 }, { depth: 0, above: "", isLast: true });
  }

  private add(contribution: Contribution, at: Branch): void {
    if (this.rows.length >= mostRows) {
      this.omitted++;
      return;
    }
    const step = contribution.step === undefined ? undefined : this.steps[contribution.step];
    if (step === undefined) this.addUnfollowed(contribution, at);
    else this.addStep(step, contribution.role, at);
  }

  /** What a cell was is not followed any further. */
  private addUnfollowed({ address, value, role }: Contribution, { depth, above, isLast }: Branch): void {
    this.rows.push({
      label: `${branch(depth, above, isLast).line}…`,
      ...{ address: addressText(address), value: valueText(value) },
      description: impliedRoles.has(role) ? "" : role,
    });
  }

  private addStep(step: WhyStep, role: string, { depth, above, isLast }: Branch): void {
    const { line, below } = branch(depth, above, isLast);
    const isAbove = this.shown.has(step);
    const isFollowed = !isAbove && depth < deepest;
    const isImplied = role === "" || impliedRoles.has(role) || step.description === role;
    const descriptions = isImplied ? [step.description] : [step.description, role];
    if (!isFollowed && step.contributions.length > 0) descriptions.push(isAbove ? "as above" : "more below");
    this.shown.add(step);
    this.rows.push({
      label: `${line}${qualifiedText(step)}`,
      address: addressText(step.address),
      value: valueText(step.value, step),
      description: descriptions.join(", "),
    });
    if (isFollowed) this.addContributions(step, depth + 1, below);
  }

  /** The largest of them, and how many others there are. */
  private addContributions({ contributions, others }: WhyStep, depth: number, above: string): void {
    if (contributions.length === 0) return;
    const shown = contributions.filter(({ role }) => role !== "other");
    const listed = heaviest(shown, mostListed);
    const left = contributions.length - listed.length + others;
    for (const [at, each] of listed.entries())
      this.add(each, { depth, above, isLast: at === listed.length - 1 && left === 0 });
    const rest = shown.length < contributions.length ? `among ${left} cells` : `and ${left} others`;
    if (left > 0) this.rows.push({ label: `${branch(depth, above, true).line}${rest}` });
  }
}

/** Roles that are clear from the order of the lines. */
const impliedRoles = new Set(["cell", "left", "right", "body", "value", "branch", "argument", "x", "y"]);

const valueText = (value: number | undefined, step?: DescribedCell): string =>
  value === undefined ? "absent" : numberText(value, step?.type.cellType);

/** As text where NaN or an infinity first arises, and what it is made of. */
export function showNotFinite(found: NotFinite, options: DisplayOptions = {}): string {
  requireArgument("showNotFinite", "output", found, Array.isArray(Object(found).sources));
  checkCallOptions("showNotFinite", options, displayRules);
  const { arises, sources } = found;
  const head =
    arises === undefined
      ? ["no NaN and no infinity arises"]
      : [
          `${valueText(arises.cell.value)} first arises in ${cellText(arises.cell)}`,
          showWhy(arises.why, options),
        ];
  const others = sources.map(({ cell, count }) => {
    const cells =
      count === 1
        ? ""
        : `, and ${count - 1} more ${count === 2 ? "cell that is" : "cells that are"} not finite`;
    return `${valueText(cell.value)} is given in ${cellText(cell)}${cells}`;
  });
  return [...head, ...others].join("\n");
}

/** `a * b{x:0} (join multiply)` in one line. */
function cellText({ text, address, description }: DescribedCell): string {
  return `${clip(`${text} ${addressText(address)}`.trimEnd(), 200)} (${clip(description, 60)})`;
}

/** The first cells of a tensor, each in the words that ask for it, for who has not said which is meant. */
export function offeredCells(tensor: Tensor, ask: (address: string) => string): string {
  requireTensor("offeredCells", tensor);
  requireArgument("offeredCells", "function", ask, typeof ask === "function");
  const rows: (readonly [string, string])[] = [];
  for (const { address, value } of tensor.cells()) {
    if (rows.length === mostOffered) break;
    const entries = Object.entries(address).map(([name, label]) => `${name}:${labelText(`${label}`)}`);
    rows.push([ask(entries.join(",")), valueText(value)]);
  }
  const width = rows.reduce((most, [words]) => Math.max(most, columnsOf(words)), 0);
  const others = tensor.data.length - rows.length;
  return [
    ...rows.map(([words, value]) => `  ${words}${" ".repeat(width - columnsOf(words))}  ${value}`),
    ...(others > 0 ? [`  … ${others} more`] : []),
  ].join("\n");
}

const mostOffered = 10;

/** `{x:0,k:'a label'}`; empty for the one cell of a scalar. */
function addressText(address: TextAddress): string {
  const entries = Object.entries(address).map(([name, label]) => `${name}:${labelText(label)}`);
  return entries.length === 0 ? "" : `{${entries.join(",")}}`;
}
