import type { PanelProtocol } from "../panel-protocol.js";
import type { ProfileScorer } from "../profile/profile-scorer.js";
import type { CellResults } from "../share/cell-results.js";
import type { ExportRequest } from "../share/export-request.js";
import type { Handlers } from "./handler.js";
import type { Notebook } from "./notebook.js";
import { pictureFile } from "./pictures.js";
import { distinctlyNamed } from "./renaming.js";

/** What a document is saved as that has each name once. */
const programForms: ReadonlySet<ExportRequest["form"]> = new Set(["sphex", "profile"]);

const asProgram = (notebook: Notebook, { document, ...request }: ExportRequest): ExportRequest => ({
  ...request,
  document: { ...document, cells: distinctlyNamed(notebook, document.cells) },
});

/** What panels ask: links, files, answers of learners, rank profiles. Each part is loaded when it is first asked. */
export function panelHandlers(notebook: Notebook): Handlers<keyof PanelProtocol> {
  let profiles: ProfileScorer | undefined;
  const results: CellResults = (id) => notebook.run(id)?.values ?? [];
  return {
    links: async ({ document, base }) => (await import("../share/link.js")).linksTo(document, base),
    openLink: async ({ link }) => (await import("../share/link.js")).documentInLink(link),
    values: async () => {
      await notebook.settled;
      return notebook.ids.flatMap((id) =>
        results(id).map(({ key, tensor }) => ({ id, key, type: `${tensor.type}` })),
      );
    },
    // Cells that are still to be computed have the values of their earlier texts.
    exportFile: async (request) => {
      await notebook.settled;
      const { exported } = await import("../share/export.js");
      return exported(
        programForms.has(request.form) ? asProgram(notebook, request) : request,
        results,
        pictureFile,
      );
    },
    importFiles: async ({ files }) => (await import("../share/import.js")).imported(files),
    answer: async ({ exercise, answer }, { signal }) => {
      const { answerReport } = await import("../learn/answer-report.js");
      return await answerReport(exercise, answer, signal);
    },
    profile: async (request) => {
      const { ProfileScorer } = await import("../profile/profile-scorer.js");
      profiles ??= new ProfileScorer();
      return await profiles.report(request);
    },
  };
}
