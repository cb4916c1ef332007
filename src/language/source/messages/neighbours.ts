import { error } from "./row.js";

/** What can be wrong with programs that come from, or go to, the playground of Vespa's documentation. */
export const neighbourMessages = {
  "link/fragment": error((_: object) => ({
    says: "this link has no program in it",
    wanted: "a program behind #, as in https://docs.vespa.ai/playground/#N4KABGBEB…",
  })),
  "link/alphabet": error(({ character }: { character: string }) => ({
    says: "this cannot be in the program of a link",
    found: `\`${character}\``,
    wanted: "letters, digits, + and -",
  })),
  "link/damaged": error((_: object) => ({
    says: "the program of this link cannot be unpacked",
    hint: "was all of it copied?",
  })),
  "link/size": error(({ what, size, limit }: { what: string; size: number; limit: number }) => ({
    says: `the ${what} is too long`,
    found: `${size} characters`,
    wanted: `at most ${limit}`,
  })),
  "playground/json": error(({ path, found, wanted }: { path: string; found: string; wanted: string }) => ({
    says: `${path} is not as a program of the playground has it`,
    found,
    wanted,
  })),
  "playground/function": error(({ name }: { name: string }) => ({
    says: "the playground has no functions",
    found: `\`${name}\``,
    hint: "write what it does where it is called",
  })),
  "playground/input": error(({ name }: { name: string }) => ({
    says: `the playground has no inputs, and ${name} has no value`,
    wanted: "a value for each input",
    hint: `give one: --set '${name}=…'`,
  })),
  "playground/file": error((_: object) => ({
    says: "the playground has no files",
    wanted: "the value itself",
  })),
  "playground/order": error(({ name }: { name: string }) => ({
    says: `the playground goes from the top to the bottom, and ${name} is defined further down`,
    hint: `move ${name} up`,
  })),
};
