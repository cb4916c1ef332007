/** All that the bundle of the command has: the command itself, the programs that it is handed, what a thread of its server
 * runs, and how files are written. */
export { answerRequests } from "../src/cli/compat/evaluation-thread.js";
export { lockFile, makeFolderOf, replaceFile } from "../src/cli/files/replace-file.js";
export { main, start } from "../src/cli/main.js";

export const programs = {
  repl: () => import("../src/repl/terminal/terminal.js"),
  languageServer: () => import("../src/lsp/main.js"),
};
