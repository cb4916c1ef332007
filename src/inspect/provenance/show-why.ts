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
  const { steps } = why;
  const rows: WhyRow[] = [];
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
      const [address, value] = [addressText(contribution.address), valueText(contribution.value)];
      rows.push({ label: `${line}…`, address, value, description: role });
      return;
    }
    const descriptions = role === "" ? [step.description] : [step.description, role];
    const from = shown.has(step) || depth >= deepest ? [] : step.contributions;
    if (step.contributions.length > 0 && from.length === 0)
      descriptions.push(shown.has(step) ? "as above" : "more below");
    shown.add(step);
    rows.push({
      label: `${line}${qualifiedText(step)}`,
      address: addressText(step.address),
      value: valueText(step.value, step),
      description: descriptions.join(", "),
    });
    const shownContributions = from.filter(({ role }) => role !== "other");
    const listed = heaviest(shownContributions, mostListed);
    const others = from.length === 0 ? 0 : from.length - listed.length + step.others;
    for (const [at, each] of listed.entries())
      walk(each, depth + 1, below, at === listed.length - 1 && others === 0);
    const rest = shownContributions.length < from.length ? `among ${others} cells` : `and ${others} others`;
    if (others > 0) rows.push({ label: `${branch(depth + 1, below, true).line}${rest}` });
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
