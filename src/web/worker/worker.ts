import { handlers } from "./handlers.js";
import { type ServedPort, serve } from "./serve.js";

/** The script of the page's worker. */
serve(globalThis as unknown as ServedPort, handlers()); // the global object of a worker is its port
