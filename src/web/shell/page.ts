import { thrownText } from "../../language/source/thrown.js";
import { Connection, type WorkerPort } from "../connection.js";
import type { DocumentEdit } from "../document/edit.js";
import { type DocumentHistory, historyOfDocuments, withEdit } from "../document/edit-history.js";
import { firstDocument } from "../document/first-document.js";
import {
  type CellId,
  cellOf,
  type DocumentMode,
  documentOf,
  emptyDocument,
  type NewCell,
  type PageDocument,
  positionOfCell,
  type ResultView,
} from "../document/page-document.js";
import type { EditorServices } from "../editor/services.js";
import { redone, type Undoable, undone } from "../history.js";
import type { Panel, PanelHost } from "../panel.js";
import type { ComparedValue, PageAddress, PageFix, ValueReference } from "../protocol.js";
import { ProvenanceState } from "../results/provenance.js";
import type { ResultHost } from "../results/result-host.js";
import { WhyPanel } from "../results/why-panel.js";
import { Comparisons } from "./comparisons.js";
import { saveFile } from "./download.js";
import { type EditorHost, editorServices, remarkServices } from "./editor-services.js";
import { Evaluation } from "./evaluation.js";
import { focusCell, focusEditor, showFocused } from "./focus.js";
import type { NamePrompt } from "./name-prompt.js";
import type { Settings } from "./settings.js";

/** What the page asks of the browser around it. */
export interface PageSurroundings {
  readonly connect: () => WorkerPort;
  /** Shows the page as it is. */
  readonly show: (page: Page) => void;
  /** Keeps the document, one that another takes the place of, and the settings. */
  readonly keep: (document: PageDocument) => void;
  readonly keepReplaced: (document: PageDocument) => void;
  readonly keepSettings: (settings: Settings) => void;
}

/** How long a text is shown, in milliseconds: until who reads slowly, and looked elsewhere, has read it. */
const timeToRead = (text: string): number => 6_000 + 120 * text.length;

/** What the page is at a moment; its views read it and change it by what it offers. */
export class Page implements PanelHost, ResultHost, EditorHost, Undoable {
  private history: DocumentHistory;
  /** The document as it was opened, in which nobody has written yet. */
  private opened: PageDocument | undefined;
  readonly connection: Connection;
  readonly evaluation: Evaluation;
  readonly provenance: ProvenanceState;
  private readonly comparisons: Comparisons;
  private readonly services = new Map<CellId, EditorServices>();
  selected: CellId | undefined;
  panel: Panel | undefined;
  /** How often a panel was asked for, opened or closed. */
  private panelRequests = 0;
  prompt: NamePrompt | undefined;
  announcement = "";
  private announcementTimer: ReturnType<typeof setTimeout> | undefined;
  private isScheduled = false;

  constructor(
    /** Documents that took the place of each other, of which the last is shown. */
    documents: readonly [PageDocument, ...PageDocument[]],
    public settings: Settings,
    private readonly surroundings: PageSurroundings,
  ) {
    this.history = historyOfDocuments(documents);
    const { document } = this;
    this.opened = document === firstDocument ? document : undefined;
    this.selected = document.cells[0]?.id;
    const update = (): void => this.update();
    this.connection = new Connection(surroundings.connect, () => this.evaluation.restart(this.document));
    this.provenance = new ProvenanceState(this.request, update);
    this.comparisons = new Comparisons(
      this.request,
      (report) => this.evaluation.report(report.id) === report,
      update,
    );
    this.evaluation = new Evaluation(this.connection, update, (message) => this.announce(message));
    void this.evaluation.start(document);
  }

  get document(): PageDocument {
    return this.history.present;
  }

  /** Where the selected cell is among all; -1 where none is selected. */
  get selectedPosition(): number {
    return this.document.cells.findIndex(({ id }) => id === this.selected);
  }

  get canUndo(): boolean {
    return this.history.past.length > 0;
  }

  get canRedo(): boolean {
    return this.history.future.length > 0;
  }

  edit(edit: DocumentEdit): void {
    const before = this.document;
    this.become(withEdit(this.history, edit, performance.now()));
    this.keepReplaced(before);
    if (edit.kind === "replace") this.opened = this.document;
  }

  undo(): void {
    const before = this.document;
    this.become(undone(this.history));
    this.keepReplaced(before);
  }

  redo(): void {
    const before = this.document;
    this.become(redone(this.history));
    this.keepReplaced(before);
  }

  readonly request: PanelHost["request"] = (name, request, options) =>
    this.connection.request(name, request, options);

  announce(text: string): void {
    clearTimeout(this.announcementTimer);
    this.announcement = text;
    if (text !== "") this.announcementTimer = setTimeout(() => this.announce(""), timeToRead(text));
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

  /** Opens a panel when it is loaded, unless another one has been asked for, or closed, since. */
  async openLoaded(load: () => Promise<Panel>): Promise<void> {
    const request = ++this.panelRequests;
    const panel = await load();
    if (request === this.panelRequests) this.open(panel);
  }

  open(panel: Panel | undefined): void {
    this.panelRequests++;
    this.panel = panel;
    if (!(panel instanceof WhyPanel)) this.provenance.clear();
    this.update();
  }

  close(): void {
    this.open(undefined);
    if (this.selected !== undefined) focusCell(this.selected);
  }

  ask(prompt: NamePrompt | undefined): void {
    this.prompt = prompt;
    this.update();
  }

  change(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings };
    this.surroundings.keepSettings(this.settings);
    this.update();
  }

  servicesOf(id: CellId): EditorServices {
    const isRemark = cellOf(this.document, id)?.kind === "remark";
    const services = this.services.get(id) ?? (isRemark ? remarkServices : editorServices)(this, id);
    this.services.set(id, services);
    return services;
  }

  /** Makes a new cell at a position, and goes there. */
  insert(at: number, cell: NewCell): void {
    if (this.document.mode === "program")
      return this.announce("A program is all of its page: switch to cells.");
    this.edit({ kind: "insert", at, cell });
    const made = this.document.cells[at];
    if (made === undefined) return;
    this.select(made.id);
    focusEditor(made.id);
  }

  /** Removes a cell, and goes to the one after it. */
  remove(id: CellId): void {
    const at = positionOfCell(this.document, id);
    this.edit({ kind: "remove", id });
    const next = this.document.cells[Math.min(at, this.document.cells.length - 1)];
    this.select(next?.id);
    if (next !== undefined) focusCell(next.id);
    this.announce("The cell is removed; undo brings it back.");
  }

  /** Selects the cell so many below the selected one. */
  step(by: number): void {
    const { cells } = this.document;
    const next = cells[Math.max(0, Math.min(this.selectedPosition + by, cells.length - 1))];
    if (next === undefined) return;
    this.select(next.id);
    focusCell(next.id);
  }

  enterNeighbour(id: CellId, direction: "up" | "down"): boolean {
    const { cells } = this.document;
    const next = cells[positionOfCell(this.document, id) + (direction === "up" ? -1 : 1)];
    if (next === undefined) return false;
    const edge = direction === "up" ? next.text.length : 0;
    focusEditor(next.id, { start: edge, end: edge });
    return true;
  }

  async rename(id: CellId, offset: number | undefined, name: string): Promise<void> {
    const { cells } = this.document;
    const renaming = await this.told(this.request("rename", { id, offset, name }));
    if (renaming === undefined) return;
    if ("refused" in renaming) return this.announce(renaming.refused);
    if (this.document.cells !== cells) return this.announce("Cells were changed meanwhile: rename again.");
    const texts = renaming.texts.map((each): DocumentEdit => ({ kind: "text", ...each }));
    const names = renaming.names.map((each): DocumentEdit => ({ kind: "name", ...each }));
    this.edit({ kind: "all", edits: [...texts, ...names] });
  }

  /** Begins an empty document. */
  begin(): void {
    this.edit({ kind: "replace", document: emptyDocument });
    this.announce("The document is empty; undo brings the last one back.");
  }

  async switchMode(mode: DocumentMode): Promise<void> {
    const { cells, dialect } = this.document;
    if (mode === this.document.mode) return;
    const converted = await this.told(this.request("convert", { to: mode, cells }));
    if (converted === undefined) return;
    const [problem] = converted.problems;
    if (problem !== undefined) return this.announce(problem.message);
    if (this.document.cells !== cells) return this.announce("Cells were changed meanwhile: switch again.");
    const document = documentOf(converted.cells, { mode, dialect });
    this.edit({ kind: "replace", document });
  }

  setView({ id, key }: ValueReference, view: ResultView): void {
    this.edit({ kind: "view", id, key, view });
  }

  why(reference: ValueReference, address: PageAddress): void {
    if (!(this.panel instanceof WhyPanel)) this.open(new WhyPanel(this.provenance, this));
    showFocused();
    void this.told(this.provenance.ask(reference, address));
  }

  async notFinite(reference: ValueReference): Promise<void> {
    const found = await this.told(this.request("notFinite", reference));
    if (found === undefined) return;
    this.reveal(found.id, found.start, found.end);
    this.announce(found.text);
  }

  mend(id: CellId, text: string, { edits }: PageFix): void {
    if (cellOf(this.document, id)?.text !== text) return;
    const sorted = [...edits].sort((a, b) => b.start - a.start);
    const mended = sorted.reduce(
      (all, each) => all.slice(0, each.start) + each.text + all.slice(each.end),
      text,
    );
    this.edit({ kind: "text", id, text: mended });
  }

  lit(reference: ValueReference): ReadonlySet<string> | undefined {
    return this.provenance.litOf(reference);
  }

  reveal(id: CellId, start: number, end: number): void {
    if (cellOf(this.document, id) !== undefined) focusEditor(id, { start, end });
  }

  /** What the other dialect makes of a cell, once that has been found out. */
  compared(id: CellId): ComparedValue | undefined {
    const report = this.evaluation.report(id);
    if (!this.settings.comparison || report === undefined || this.evaluation.isRunning) return undefined;
    return this.comparisons.of(report);
  }

  /** Shows the page once more, after all that happens now. */
  update(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.surroundings.show(this);
    });
  }

  /** What a promise becomes; where it fails, the reader is told why. */
  private async told<T>(promise: Promise<T>): Promise<T | undefined> {
    try {
      return await promise;
    } catch (error) {
      this.announce(thrownText(error));
      return undefined;
    }
  }

  /** Keeps a document that another one has taken the place of, unless nobody has written in it: they have no cell in common. */
  private keepReplaced(before: PageDocument): void {
    const ids = new Set(this.document.cells.map(({ id }) => id));
    const { cells } = before;
    if (before !== this.opened && cells.length > 0 && !cells.some(({ id }) => ids.has(id)))
      this.surroundings.keepReplaced(before);
  }

  private become(history: DocumentHistory | undefined): void {
    if (history === undefined || history === this.history) return;
    this.history = history;
    const { cells } = history.present;
    if (!cells.some(({ id }) => id === this.selected)) this.selected = cells.at(-1)?.id;
    if (this.panel instanceof WhyPanel) this.open(undefined);
    void this.evaluation.start(history.present);
    this.surroundings.keep(history.present);
    this.update();
  }
}
