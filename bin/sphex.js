#!/usr/bin/env node
/** The command `sphex`, as it was built. Its sources are in src/cli and src/repl. */
import { load } from "./bundle.js";

const command = load();
if (command !== undefined) await command.start(command.programs);
else {
  console.error("sphex is not built: run `npm install && npm run build` in its folder");
  process.exitCode = 70;
}
