/** All that the bundle of the command has: the command itself, and the REPL, which it is handed. */
export { main, start } from "../src/cli/main.js";

export const repl = () => import("../src/repl/terminal.js");
