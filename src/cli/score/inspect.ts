import { parseAddress, showExplanation, showWhy } from "../../index.js";
import type { HitToScore, ListValues, Scorer } from "../../vespa.js";
import { UsageError } from "../terminal/failure.js";

/**
 * What `score --explain` and `score --why` see in a phase or a function, for one document.
 * @throws SphexError where the document lacks a feature that it needs.
 */
export function inspectHit(
  scorer: Scorer,
  { hit, list }: { readonly hit: HitToScore; readonly list: ListValues },
  { explain, why }: { readonly explain?: string | true; readonly why?: string },
): string {
  const [, name = "", address = ""] = /^([^{]*)(?:\{(.*)\})?$/s.exec(why?.trim() ?? "") ?? [];
  const explained = explain === undefined ? undefined : keyNamed(explain === true ? "" : explain, scorer);
  const traced = why === undefined ? undefined : keyNamed(name, scorer);
  const texts: string[] = [];
  // What cannot be computed cannot be explained.
  for (const key of [explained, traced]) if (key !== undefined) scorer.value(key, hit, list);
  if (explained !== undefined) {
    const program = scorer.program.programOf([explained]);
    texts.push(showExplanation(program.explain(scorer.inputs(explained, hit, list))));
  }
  if (traced !== undefined) {
    const cell = address.trim() === "" ? {} : parseAddress(address);
    const program = scorer.program.programOf([traced]);
    texts.push(showWhy(program.why(cell, scorer.inputs(traced, hit, list))));
  }
  return texts.join("\n\n");
}

/** The key of what has a name; without one, of the first phase. */
function keyNamed(written: string, { program }: Scorer): string {
  const { quantities } = program;
  const name = written.trim();
  const quantity = name === "" ? quantities[0] : quantities.find((each) => each.name === name);
  if (quantity !== undefined) return quantity.key;
  const names = [...new Set(quantities.map((each) => each.name))];
  throw new UsageError(`the profile computes nothing called ${name}, but ${names.join(", ")}`);
}
