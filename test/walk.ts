/** Commands in READMEs, as people type them after a prompt, with what they print. */
export interface Step {
  readonly line: string;
  /** What is printed before the next prompt. */
  readonly printed: string;
}

/** The commands of a block of the console. */
export const stepsIn = (block: string): Step[] =>
  [...block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, line = "", printed = ""]) => ({
    line,
    printed,
  }));

/** The arguments of `npx sphex …`; nothing for another command. */
export function sphexArguments(line: string): string[] | undefined {
  if (!line.startsWith("npx sphex ")) return undefined;
  const words = line.slice("npx sphex ".length).matchAll(/'([^']*)'|(\S+)/g);
  return [...words].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** The blocks of the console in a document. */
export const consoleBlocks = (document: string): string[] =>
  [...document.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
