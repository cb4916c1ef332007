import { thrownText } from "../../language/source/thrown.js";
import type { DocumentEdit } from "../document/edit.js";
import { documentOf, type NewCell } from "../document/page-document.js";
import type { PanelHost } from "../panel.js";
import { profileForm } from "../profile/form.js";
import type { Imported } from "./import-request.js";

/** Reads files that were dropped or chosen, and puts on the page what they are. */
export async function openFiles(host: PanelHost, files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  try {
    const dropped = await Promise.all(
      files.map(async (file) => ({
        name: file.webkitRelativePath || file.name,
        bytes: new Uint8Array(await file.arrayBuffer()),
      })),
    );
    const imported = await host.request("importFiles", { files: dropped });
    const isProfile = profileForm.take(imported.profile);
    await apply(host, imported);
    host.announce(summaryOf(imported, isProfile));
  } catch (error) {
    host.announce(thrownText(error));
  }
}

async function apply(host: PanelHost, { document, cells }: Imported): Promise<void> {
  if (document !== undefined) host.edit({ kind: "replace", document });
  if (cells.length === 0) return;
  if (host.document.mode === "program") return await addToProgram(host, cells);
  const start = host.document.cells.length;
  const edits = cells.map((cell, at): DocumentEdit => ({ kind: "insert", at: start + at, cell }));
  host.edit({ kind: "all", edits });
}

/** A program has the definitions behind its text. */
async function addToProgram(host: PanelHost, cells: readonly NewCell[]): Promise<void> {
  const added = documentOf(cells).cells;
  const { cells: converted, problems } = await host.request("convert", { to: "program", cells: added });
  const [problem] = problems;
  if (problem !== undefined) throw new Error(problem.message);
  const [program] = host.document.cells;
  if (program === undefined) return;
  const texts = [program, ...converted].map(({ text }) => (text.endsWith("\n") ? text : `${text}\n`));
  host.edit({ kind: "text", id: program.id, text: texts.join("") });
}

function summaryOf({ document, cells, faults }: Imported, isProfile: boolean): string {
  const parts = [
    document === undefined ? "" : "The document is open; undo brings back the last one.",
    cells.length === 0 ? "" : cells.length === 1 ? "A value is added." : `${cells.length} values are added.`,
    isProfile ? "Rank profile mode has the files." : "",
    ...faults.map(({ name, message }) => `${name}: ${message}`),
  ];
  return parts.filter((part) => part !== "").join("\n");
}
