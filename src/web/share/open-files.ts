import { thrownText } from "../../language/source/thrown.js";
import type { DocumentEdit } from "../document/edit.js";
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
    apply(host, imported);
    host.announce(summaryOf(imported, isProfile));
  } catch (error) {
    host.announce(thrownText(error));
  }
}

function apply(host: PanelHost, { document, cells }: Imported): void {
  if (document !== undefined) host.edit({ kind: "replace", document });
  if (cells.length === 0) return;
  const start = host.document.cells.length;
  const edits = cells.map((cell, at): DocumentEdit => ({ kind: "insert", at: start + at, cell }));
  host.edit({ kind: "all", edits });
}

function summaryOf({ document, cells, faults }: Imported, isProfile: boolean): string {
  const parts = [
    document === undefined ? "" : "The document is open; undo brings back the last one.",
    cells.length === 0 ? "" : cells.length === 1 ? "A cell is added." : `${cells.length} cells are added.`,
    isProfile ? "Rank profile mode has the files." : "",
    ...faults.map(({ name, message }) => `${name}: ${message}`),
  ];
  return parts.filter((part) => part !== "").join("\n");
}
