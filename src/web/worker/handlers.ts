import { CellQuestions } from "./cell-questions.js";
import { compared } from "./comparison.js";
import { explainReports } from "./explaining.js";
import type { Handlers } from "./handler.js";
import { converted } from "./mode-change.js";
import { Notebook } from "./notebook.js";
import { panelHandlers } from "./panel-handlers.js";
import { picture } from "./pictures.js";
import { notFiniteReport, whyReport } from "./provenance.js";
import { distinctlyNamed, renamable, renamed } from "./renaming.js";

/** The handlers of a new worker, which has computed nothing yet. */
export function handlers(notebook = new Notebook()): Handlers {
  const { complete, hover, signature, define, format } = new CellQuestions(notebook);
  return {
    evaluate: (request, context) => notebook.evaluate(request, context),
    table: ({ id, key, view, rows, columns }) => notebook.value(id, key)?.table(view, rows, columns),
    picture: ({ id, key, view, width }) => {
      const { kind } = view;
      const tensor = notebook.value(id, key)?.tensor;
      if (tensor === undefined || kind === undefined || kind === "table" || kind === "list") return undefined;
      return picture(tensor, kind, view, width);
    },
    why: (request) => whyReport(notebook, request),
    notFinite: (request) => notFiniteReport(notebook, request),
    explain: ({ id }) => explainReports(notebook.run(id)),
    compare: ({ id }, { signal }) => compared(notebook, id, signal),
    ...{ complete, hover, signature, define, format },
    renamable: (request) => renamable(notebook, request),
    // The texts of cells that are still to be computed are those of an earlier request.
    rename: async (request) => {
      await notebook.settled;
      return renamed(notebook, request);
    },
    // A program has each name once, a document may have one again.
    convert: async (request) => {
      await notebook.settled;
      const { to, cells } = request;
      return converted({ to, cells: to === "program" ? distinctlyNamed(notebook, cells) : cells });
    },
    ...panelHandlers(notebook),
  };
}
