/** All that the bundle of the command has: the command itself, the REPL, which it is handed, and how files are written. */
export { main, start } from "../src/cli/main.js";
export { replaceFile } from "../src/cli/replace-file.js";

export const repl = () => import("../src/repl/terminal.js");
