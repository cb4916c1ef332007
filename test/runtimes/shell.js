// Runtimes that run a file and have a console: the answers as a line of JSON.

import { answers } from "./program.js";

console.log(JSON.stringify(await answers()));
