import type { CellDifference, Verdict } from "./check-answer.js";

/** What the learner is told, in a sentence or two. */
export function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case "right":
      return "Right.";
    case "problems":
      return `This cannot be computed: ${verdict.messages.join("; ")}.`;
    case "form":
      return verdict.form === "literal"
        ? "Try to compute the cells instead of writing them."
        : `Try it without \`${verdict.form}\`.`;
    case "type":
      return `This is a ${verdict.found}, and should be a ${verdict.expected}.`;
    case "cells":
      return `${differenceText(verdict.difference)}${othersText(verdict.count - 1)}`;
    case "fixed":
      return `Right for these inputs, but not for others: try other numbers in ${listText(verdict.inputs)}.`;
  }
}

function differenceText({ address, found, expected }: CellDifference): string {
  const labels = Object.entries(address).map(([dimension, label]) => `${dimension}:${label}`);
  const cell = labels.length === 0 ? "The number" : `The cell {${labels.join(", ")}}`;
  if (found === undefined) return `${cell} is not there, and should be ${expected}.`;
  if (expected === undefined) return `${cell} is ${found}, and should not be there.`;
  return `${cell} is ${found}, and should be ${expected}.`;
}

const othersText = (count: number): string =>
  count === 0 ? "" : count === 1 ? " One other differs, too." : ` ${count} others differ, too.`;

function listText(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} and ${last}`;
}
