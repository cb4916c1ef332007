import { expect } from "vitest";
import { compile, parseType, Tensor } from "../../src/index.js";
import { onEngine, type SqlEngine, type Target } from "../../src/sql.js";

/**
 * Labels that a decoder, a reader of files, a statement or its layout may change: marks of files at the beginning and within,
 * ends of lines, blanks of all kinds, what is no character, what is written in several ways, and what looks like SQL.
 */
export const hostileLabels: readonly string[] = [
  ...[
    "\ufeff",
    "\ufeffa",
    "\ufeff\ufeff",
    "\ufeff\ufeffa",
    "a\ufeff",
    "a\ufeffb",
    "\ufeff\ufeff longer than twelve bytes",
  ],
  ...["\ufffe", "\uffff", "\ufdd0", "\u{1ffff}", "\u{10ffff}", "\ufffd", "\ue000", "\u{e0001}"],
  ...["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "a\u2028b", "\u2029", "a\nb"],
  ...[" ", "\t", " a", "a ", "a  ", "\u00a0", "\u1680", "\u3000", "\u200b", "\u2060", "\u00ad", "\u180e"],
  ...["e\u0301", "é", "\u212a", "K", "k", "ﬀ", "ff", "ſ", "ς", "σ", "ß", "İ", "\u200e\u202e", "👩‍🔬", "é𝄞"],
  ...["\u0001", "\u001a", "\u001f", "\u007f", "\u0080", "\u009f"],
  ...[
    "'; DROP TABLE t; --",
    "\\",
    "\\u0041",
    "\\n",
    "`",
    '"',
    "'",
    "--",
    "/*",
    "$1",
    "?",
    "{x}",
    "%s",
    "",
    "NULL",
  ],
];

const type = parseType("tensor(k{})");
const input = "input a: tensor(k{})";

/** A tensor with these labels, each with a number of its own. */
export const tensorWith = (labels: readonly string[]): Tensor =>
  Tensor.from(type, new Map(labels.map((label, at) => [label, at])));

/** Requires that an engine computes with labels as they are, selects by each of them, and reads from targets what it wrote there. */
export async function expectLabels(
  engine: SqlEngine,
  {
    labels = hostileLabels,
    targets = [],
    selects = true,
  }: {
    readonly labels?: readonly string[];
    readonly targets?: readonly Target[];
    /** Whether one statement selects by each label: it reads all of them as often where an engine shares no relations. */
    readonly selects?: boolean;
  },
): Promise<void> {
  const tensor = tensorWith(labels);
  const more = compile(`${input}\na + 1`);
  const bound = more.on(onEngine(engine), { a: { tensor } });
  expectEqual(await bound.run(), more.run({ a: tensor }));
  // All in one statement, where labels are written into the text.
  const few = labels.filter((label) => label.length < 100);
  const selected = `${input}\n${few.map((label) => `a{k: ${JSON.stringify(label)}}`).join(" + ")}`;
  const sum = few.reduce((before, label) => before + labels.indexOf(label), 0);
  if (selects)
    expect((await compile(selected).on(onEngine(engine), { a: { tensor } }).run()).asNumber()).toBe(sum);
  for (const target of targets) {
    await bound.materialize(target);
    const less = compile(`${input}\na - 1`).on(onEngine(engine), {
      a: { source: target, dimensions: { k: "k" } },
    });
    expectEqual(await less.run(), tensor);
  }
}

/** The labels that differ are what a person wants to see. */
function expectEqual(found: Tensor, expected: Tensor): void {
  const labels = (tensor: Tensor): string[] => tensor.labels.map(([label]) => JSON.stringify(label));
  expect(labels(found)).toEqual(labels(expected));
  expect(found.equals(expected)).toBe(true);
}
