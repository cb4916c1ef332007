import { type ExpectedSyntax, expectedSyntax, foundSyntax } from "../../formats/json/messages.js";
import { type JsonValue, shown } from "../../formats/json/value.js";
import { error, type NoValues, quoted } from "../../language/source/message.js";
import { type Phrase, phrases } from "../../language/source/phrase.js";
import { problemsOf } from "../../language/source/problem.js";

const texts = { packed: "program of the link", unpacked: "program in the link" } as const;

export type LinkText = keyof typeof texts;

const foundParts = {
  value: ({ value }: { value: JsonValue | undefined }) => shown(value),
  /** What is not JSON. */
  text: ({ text }: { text: string }) => foundSyntax(text),
};

const foundText = phrases(foundParts);

const expectedParts = {
  JSON: ({ expected }: { expected: ExpectedSyntax }) => expectedSyntax(expected),
  cells: "a list of cells",
  op: '"c" for a remark or "e" for an expression',
  text: "a text",
};

export type ExpectedInSetup = Phrase<typeof expectedParts>;

const expectedText = phrases(expectedParts);

interface WrongSetup {
  /** Nothing for the whole text. */
  readonly path: string | undefined;
  readonly found: Phrase<typeof foundParts>;
  readonly expected: ExpectedInSetup;
}

/** What can be wrong with programs that come from, or go to, the playground of Vespa's documentation. */
export const compatMessages = {
  "link/fragment": error((_: NoValues) => ({
    message: "this link has no program in it",
    expected: "a program after #, as in https://docs.vespa.ai/playground/#N4KABGBEB…",
  })),
  "link/alphabet": error(({ character }: { character: string }) => ({
    message: "this cannot be in the program of a link",
    found: quoted(character),
    expected: "letters, digits, + and -",
  })),
  "link/damaged": error((_: NoValues) => ({
    message: "the program of this link cannot be unpacked",
    hint: "was all of it copied?",
  })),
  "link/size": error(({ what, size, limit }: { what: LinkText; size: number; limit: number }) => ({
    message: `the ${texts[what]} is too long`,
    found: `${size} characters`,
    expected: `at most ${limit}`,
  })),
  "playground/json": error(({ path, found, expected }: WrongSetup) => ({
    message: `${path ?? "the text"} is not in the form of a program of the playground`,
    found: foundText(found),
    expected: expectedText(expected),
  })),
  "playground/statement": error((_: NoValues) => ({
    message: "the playground has cells with values, and keeps no tensors",
    found: "assign, begin or minimise",
    expected: "a value",
  })),
  "playground/function": error(({ name }: { name: string }) => ({
    message: "the playground has no functions",
    found: quoted(name),
    hint: "write its body where it is called",
  })),
  "playground/input": error(({ name }: { name: string }) => ({
    message: `the playground has no inputs, and ${name} has no value`,
    expected: "a value for each input",
    hint: `give one: --set '${name}=…'`,
  })),
  "playground/file": error((_: NoValues) => ({
    message: "the playground has no files",
    expected: "the value itself",
  })),
  "playground/order": error(({ name }: { name: string }) => ({
    message: `the playground evaluates from top to bottom, and ${name} is defined further down`,
    hint: `move ${name} up`,
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "vespa/compat": typeof compatMessages;
  }
}

export const problem = problemsOf<"vespa/compat">(compatMessages);
