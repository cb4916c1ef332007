import type { Handlers } from "./handler.js";
import { converted } from "./mode-change.js";
import { Notebook } from "./notebook.js";

/** The handlers of a new worker, which has computed nothing yet. */
export function handlers(): Handlers {
  const notebook = new Notebook();
  return {
    evaluate: (request, context) => notebook.evaluate(request, context),
    table: ({ id, key, view, rows, columns }) => notebook.value(id, key)?.table(view, rows, columns),
    list: ({ id, key, from, to }) => notebook.value(id, key)?.list(from, to),
    convert: converted,
  };
}
