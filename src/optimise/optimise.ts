import type { Graph } from "../language/core/graph.js";
import { bitsOf, isMadeVolatile, type Node, reaches } from "../language/core/operations.js";
import type { Spend } from "../language/limits/spend.js";
import { choices } from "./choices.js";
import { constants } from "./constants.js";
import { reductions } from "./reductions.js";
import type { Pass, RewriteRule } from "./rewrite-rule.js";
import { Rewriting } from "./rewriting.js";
import { samples } from "./samples.js";
import { scalars } from "./scalars.js";
import { shapes } from "./shapes.js";

/** All passes in their order: what one brings about, a later one uses. */
export const passes: readonly Pass[] = [constants, choices, scalars, shapes, reductions, samples];

/** What a pass made of the roots, and the rules that it applied. */
export interface Stage {
  readonly pass: Pass;
  readonly appliedRules: readonly RewriteRule[];
  readonly roots: readonly Node[];
}

/** The roots after each pass that changed one of them; the last stage is the outcome. */
export function stagesOf(roots: readonly Node[], graph: Graph, spend?: Spend): readonly Stage[] {
  // The order in which random numbers are drawn, and functions called that are not pure, is part of what a program means: nothing is moved.
  if (roots.some(isMadeVolatile)) return [];
  const stages: Stage[] = [];
  let current = roots;
  for (const pass of passes) {
    const operations = bitsOf(pass.rules.map((rule) => rule.of));
    if (!current.some((root) => reaches(root, operations))) continue;
    const rewriting = new Rewriting(graph, pass.rules, spend);
    const next = current.map((root) => rewriting.rewrite(root));
    if (next.every((root, at) => root === current[at])) continue;
    stages.push({ pass, appliedRules: [...rewriting.appliedRules], roots: next });
    current = next;
  }
  return stages;
}

/** Nodes with the same values as the roots, which are quicker to compute. */
export const optimised = (roots: readonly Node[], graph: Graph, spend?: Spend): readonly Node[] =>
  stagesOf(roots, graph, spend).at(-1)?.roots ?? roots;
