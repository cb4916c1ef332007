import { Connection, type WorkerPort } from "../connection.js";
import type { DocumentEdit } from "../document/edit.js";
import { type History, historyOf, redone, undone, withEdit } from "../document/history.js";
import type { CellId, PageDocument } from "../document/page-document.js";
import type { Panel, PanelHost } from "../panel.js";
import { saveFile } from "./download.js";
import { Evaluation } from "./evaluation.js";

/** What the page is at a moment; its views read it and change it by what it offers. */
export class Page implements PanelHost {
  private history: History;
  readonly connection: Connection;
  readonly evaluation: Evaluation;
  selected: CellId | undefined;
  panel: Panel | undefined;
  announcement = "";
  private isScheduled = false;

  constructor(
    document: PageDocument,
    connect: () => WorkerPort,
    /** Shows the page as it is. */
    private readonly onUpdate: (page: Page) => void,
    /** Keeps the document. */
    private readonly onEdit: (document: PageDocument) => void,
  ) {
    this.history = historyOf(document);
    this.selected = document.cells[0]?.id;
    this.connection = new Connection(connect, () => this.evaluation.restart(this.document));
    this.evaluation = new Evaluation(
      this.connection,
      () => this.update(),
      (message) => this.announce(message),
    );
    void this.evaluation.start(document);
  }

  get document(): PageDocument {
    return this.history.present;
  }

  get canUndo(): boolean {
    return this.history.past.length > 0;
  }

  get canRedo(): boolean {
    return this.history.future.length > 0;
  }

  edit(edit: DocumentEdit): void {
    this.become(withEdit(this.history, edit, performance.now()));
  }

  undo(): void {
    this.become(undone(this.history));
  }

  redo(): void {
    this.become(redone(this.history));
  }

  readonly request: PanelHost["request"] = (name, request, options) =>
    this.connection.request(name, request, options);

  announce(text: string): void {
    this.announcement = text;
    this.update();
  }

  download(name: string, content: Uint8Array | string, type: string): void {
    saveFile(name, content, type);
  }

  select(id: CellId | undefined): void {
    if (this.selected === id) return;
    this.selected = id;
    this.update();
  }

  open(panel: Panel | undefined): void {
    this.panel = panel;
    this.update();
  }

  close(): void {
    this.open(undefined);
  }

  /** Shows the page once more, after all that happens now. */
  update(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.onUpdate(this);
    });
  }

  private become(history: History | undefined): void {
    if (history === undefined || history === this.history) return;
    this.history = history;
    const { cells } = history.present;
    if (!cells.some(({ id }) => id === this.selected)) this.selected = cells.at(-1)?.id;
    void this.evaluation.start(history.present);
    this.onEdit(history.present);
    this.update();
  }
}
