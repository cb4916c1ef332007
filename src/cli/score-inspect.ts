import { parseAddress, showExplanation, showWhy } from "../index.js";
import type { HitToScore, ListValues, Scorer } from "../vespa.js";
import { UsageError } from "./failure.js";

/** What `score --explain` and `score --why` see in a phase or a function, for one document. */
export function inspectHit(
  scorer: Scorer,
  { hit, list }: { readonly hit: HitToScore; readonly list: ListValues },
  { explain, why }: { readonly explain?: string | true; readonly why?: string },
): string {
  const texts: string[] = [];
  if (explain !== undefined) {
    const key = keyNamed(explain === true ? undefined : explain, scorer);
    texts.push(showExplanation(scorer.program.programOf([key]).explain(scorer.inputs(key, hit, list))));
  }
  if (why !== undefined) {
    const [, name = "", address = ""] = /^([^{]*)(?:\{(.*)\})?$/s.exec(why.trim()) ?? [];
    const key = keyNamed(name.trim() === "" ? undefined : name.trim(), scorer);
    const cell = address.trim() === "" ? {} : parseAddress(address);
    const program = scorer.program.programOf([key]);
    texts.push(showWhy(program.why(cell, scorer.inputs(key, hit, list))));
  }
  return texts.join("\n\n");
}

function keyNamed(name: string | undefined, { program }: Scorer): string {
  const { quantities } = program;
  const quantity = name === undefined ? quantities[0] : quantities.find((each) => each.name === name);
  if (quantity !== undefined) return quantity.key;
  const names = [...new Set(quantities.map((each) => each.name))];
  throw new UsageError(`the profile computes nothing called ${name}, but ${names.join(", ")}`);
}
