import type { PanelHost } from "../panel.js";

/** Lets files be dropped anywhere on the page; what reads them is loaded when there are some. */
export function acceptDrops(host: PanelHost, target: Document): void {
  const isFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
  target.addEventListener("dragover", (event) => {
    if (!isFiles(event)) return;
    event.preventDefault();
    target.documentElement.dataset.dropping = "";
  });
  const leave = (): void => {
    delete target.documentElement.dataset.dropping;
  };
  target.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) leave();
  });
  const drop = (event: DragEvent): void => {
    if (!isFiles(event)) return;
    event.preventDefault();
    // An editor would put the text of a file into its own.
    event.stopPropagation();
    leave();
    // The browser takes them away when the event is over.
    const files = [...(event.dataTransfer?.files ?? [])];
    void import("./open-files.js").then(({ openFiles }) => openFiles(host, files));
  };
  target.addEventListener("drop", drop, { capture: true });
}
