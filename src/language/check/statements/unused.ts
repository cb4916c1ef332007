import { append } from "../../source/lists.js";
import type { Problem } from "../../source/problem.js";
import { type Span, textIn } from "../../source/span.js";
import { partsOf } from "../../syntax/parts.js";
import { type Argument, isNaming, type NamingStatement, type ProgramTree } from "../../syntax/tree.js";
import { problem } from "../messages.js";
import { bareWord } from "../names.js";

/**
 * What a program has and does not use: names, parameters, and branches that are never taken; and numbers that no double holds. These are hints: the program is right as it is. A name that begins with an underscore is meant to be unused.
 */
export function hintsOf({ statements }: ProgramTree): readonly Problem[] {
  const hints: Problem[] = [];
  const hasResults = statements.some((each) => each.kind === "result");
  const used = new Map<string, number>();
  for (const each of statements)
    for (const word of wordsOf(each.span)) used.set(word, (used.get(word) ?? 0) + 1);
  for (const each of statements) {
    if (each.kind === "result") append(hints, hintsIn(each.expression));
    else if (!isNaming(each)) append(hints, hintsIn(each.value));
    else
      append(
        hints,
        definitionHints(each, hasResults, (word) => (used.get(word) ?? 0) > 1),
      );
  }
  return hints;
}

/** The hints of a statement that defines a name; `isShared` tells whether a word stands in several statements. */
function definitionHints(
  statement: NamingStatement,
  hasResults: boolean,
  isShared: (word: string) => boolean,
): readonly Problem[] {
  const { name } = statement;
  // Of a feature the last word: `query(q)` may be used as `$q`.
  const own = [...wordsOf(name.span)].at(-1) ?? "";
  const isUsed = isShared(own) || own.startsWith("_");
  const hints: Problem[] = [];
  if (hasResults && !isUsed) {
    hints.push(problem("hint/unused-name", name.span, { name: textIn(name.span) }));
  }
  const isPaperForm = statement.kind === "declaration" && statement.span.start === name.span.start;
  if (isPaperForm) hints.push(problem("hint/declaration", name.span, { name: textIn(name.span) }));
  if (statement.kind === "model") return hints;
  if (statement.kind === "declaration")
    return statement.value === undefined ? hints : [...hints, ...hintsIn(statement.value)];
  const inBody = wordsOf(statement.body.span);
  for (const { text, span } of statement.parameters ?? [])
    if (!inBody.has(text) && !text.startsWith("_"))
      hints.push(problem("hint/unused-parameter", span, { name: text }));
  append(hints, hintsIn(statement.body));
  return hints;
}

/** The words of a part of a text, once each. */
const wordsOf = (span: Span): ReadonlySet<string> => new Set(textIn(span).match(/[A-Za-z_0-9@]+/g) ?? []);

/** Branches that are never taken, and numbers beyond all doubles. */
function hintsIn(tree: Argument): readonly Problem[] {
  const hints: Problem[] = [];
  const open: Argument[] = [tree];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const parts = partsOf(each);
    for (const { tree: part } of parts.toReversed()) open.push(part);
    if (each.kind === "number" && !Number.isFinite(each.value))
      hints.push(problem("hint/infinite", each.span, { text: each.text }));
    if (each.kind !== "reference" || each.name.text !== "if") continue;
    const [condition, yes, no] = each.arguments ?? [];
    const isTrue = condition && constantCondition(condition);
    const dead = isTrue === undefined ? undefined : isTrue ? no : yes;
    if (dead !== undefined) hints.push(problem("hint/dead-branch", dead.span, { isTrue: isTrue === true }));
  }
  return hints;
}

/** Whether a condition is true whatever the inputs are; nothing where it depends on more than a number. */
function constantCondition(condition: Argument): boolean | undefined {
  if (condition.kind === "number") return condition.value !== 0;
  const word = bareWordOf(condition);
  return word === "true" ? true : word === "false" ? false : undefined;
}

const bareWordOf = (tree: Argument): string | undefined =>
  tree.kind === "reference" ? bareWord(tree)?.text : undefined;
