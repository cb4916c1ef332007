import { hint, quoted } from "../../source/message.js";

/** What is correct as it is, and may not be what was meant. */
export const hintMessages = {
  "hint/unused-name": hint(({ name }: { name: string }) => ({
    message: `nothing in this program uses ${name}`,
    hint: `leave it out, or begin its name with _ to say that it is meant to be unused`,
  })),
  "hint/unused-parameter": hint(({ name }: { name: string }) => ({
    message: `the function does not use its parameter ${name}`,
    hint: `leave it out, or begin its name with _ to say that it is meant to be unused`,
  })),
  "hint/dead-branch": hint(({ isTrue }: { isTrue: boolean }) => ({
    message: `this branch is never taken, since the condition is always ${isTrue}`,
  })),
  "hint/declaration": hint(({ name }: { name: string }) => ({
    message: "this declares an input, as the Paper does",
    hint: `usually it is written input ${name}: …`,
    replacement: `input ${name}`,
  })),
  "hint/infinite": hint(({ text }: { text: string }) => ({
    message: `${text.length > 20 ? "this number" : text} is greater than any number that a double can hold, and is read as infinity`,
    found: quoted("1/0"),
    expected: "a number up to 1.8e308",
  })),
};

export type HintMessages = typeof hintMessages;
