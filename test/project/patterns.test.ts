import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { patient } from "../patience.js";
import { nodesOf, type SourceFile, type SyntaxNode, sourceFiles } from "./source-trees.js";

/**
 * No regular expression is tried on long text in so many ways that it takes the square of its length. `patterns.txt` lists
 * all of `src`: those that match in time in proportion to the text, wherever they stand, as recheck 4.5.0 has found
 * (`linear`) or a reason says (`linear: …`), and those that are tried on short text only (`short in FILE: …`). A new one is
 * added by hand, after `npx recheck` or a thought.
 */
interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly verdict: string;
}

const listed: readonly Pattern[] = readFileSync(new URL("../patterns.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => {
    const [pattern = "", verdict = ""] = line.split("\t");
    const end = pattern.lastIndexOf("/");
    return { source: pattern.slice(1, end), flags: pattern.slice(end + 1), verdict };
  });

const textOf = ({ source, flags }: Omit<Pattern, "verdict">): string =>
  `/${source}/${flags}`.replaceAll("\n", "\\n");

/** The regular expressions of a file; of one that is made at run time the text that it is made of. */
function patternsIn(file: SourceFile): readonly string[] {
  return nodesOf(file).flatMap((node) => {
    const literal = node.regex as { pattern: string; flags: string } | undefined; // of a literal
    if (literal) return textOf({ source: literal.pattern, flags: literal.flags });
    const callee = node.callee as SyntaxNode | undefined; // of a call
    if (callee?.name !== "RegExp") return [];
    const [argument] = node.arguments as readonly SyntaxNode[]; // of a call
    return textOf({
      source: file.text.slice(argument?.start, argument?.end).replaceAll("`", ""),
      flags: "",
    });
  });
}

test("all regular expressions are listed", patient, () => {
  const found = new Set<string>();
  for (const file of sourceFiles()) {
    for (const pattern of patternsIn(file)) {
      const inFile = listed.find(
        (each) => textOf(each) === pattern && each.verdict.startsWith(`short in ${file.path}: `),
      );
      found.add(inFile === undefined ? pattern : `${pattern} ${file.path}`);
    }
  }
  const isShort = ({ verdict }: Pattern): boolean => verdict.startsWith("short in ");
  const known = new Set(
    listed.map((each) => textOf(each) + (isShort(each) ? ` ${each.verdict.slice(9).split(":")[0]}` : "")),
  );
  expect([...found].filter((line) => !known.has(line))).toEqual([]);
  expect([...known].filter((line) => !found.has(line))).toEqual([]);
  expect(listed.filter(({ verdict }) => !/^(?:linear$|linear: \S|short in \S+: \S)/.test(verdict))).toEqual(
    [],
  );
});

/** What long texts may be made of: the signs of a pattern and some others, alone and in pairs. */
function pieces(source: string): readonly string[] {
  const signs = [...new Set([..." \ta0_.:,;\"'\\#/-{([<\n", ...source.replaceAll(/\\./gs, "")])];
  const words = source.match(/[A-Za-z]{3,}/g) ?? [];
  const pairs = signs.slice(0, 24).flatMap((first) => signs.slice(0, 12).map((second) => first + second));
  return [...signs, ...words, ...pairs];
}

/** What may have to stand in front: the longest beginnings that are plain text. */
function beginnings(source: string): readonly string[] {
  const plain = source.replaceAll(/^\^|\\b|\(\?:|\\s\*/g, "").replaceAll(/\\(.)/g, "$1");
  const [word = ""] = /^[\w('"{.:-]*/.exec(plain) ?? [];
  return [...new Set(["", word, word.slice(0, -1)])];
}

const length = 20_000;

function milliseconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const plain = listed.filter(({ source, verdict }) => verdict.startsWith("linear") && !source.includes("${"));

test.each(plain.map((each) => [textOf(each), each] as const))(
  "%s",
  patient,
  (_, { source, flags, verdict }) => {
    // Chevrotain tries the patterns of tokens at one offset.
    const isSticky = verdict.startsWith("linear: sticky") && !flags.includes("y");
    const pattern = new RegExp(source, isSticky ? `${flags}y` : flags);
    const slow: string[] = [];
    for (const beginning of beginnings(source)) {
      for (const piece of pieces(source)) {
        const text = `${beginning}${piece.repeat(length / piece.length)}\u0001`;
        const take = (): number =>
          milliseconds(() => {
            pattern.lastIndex = 0;
            if (flags.includes("g")) text.replace(pattern, "");
            else pattern.test(text);
          });
        // The square of the length would take a second; a machine that does much else delays one try, not five.
        if ([1, 2, 3, 4, 5].every(() => take() > 250)) slow.push(beginning + piece);
      }
    }
    expect(slow).toEqual([]);
  },
);
