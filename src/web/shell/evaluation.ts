import { thrownText } from "../../language/source/thrown.js";
import { type Connection, RequestFailure, superseded } from "../connection.js";
import type { CellId, DocumentCell, PageDocument } from "../document/page-document.js";
import type { CellProgress, CellReport } from "../protocol.js";

/** How long a run takes before its progress is shown, in milliseconds. */
const patience = 250;

const readyMark = "sphex-ready";

/** What of a document its values depend on. */
type ComputedDocument = Pick<PageDocument, "cells" | "dialect">;

/** Reports that come sooner after each other are shown together, in milliseconds: each time the page is rendered as a whole. */
const frame = 16;

/** What is found of each cell of the document, as the worker tells it. */
export class Evaluation {
  private readonly found = new Map<CellId, CellReport>();
  private controller: AbortController | undefined;
  private requested: ComputedDocument | undefined;
  /** The texts of cells that were cancelled: they are computed again when they change, or when somebody asks for it. */
  private readonly cancelled = new Map<CellId, string>();
  private latest: CellProgress | undefined;
  private isLong = false;
  private shown = 0;

  constructor(
    private readonly connection: Pick<Connection, "request">,
    private readonly onChange: () => void,
    private readonly onFailure: (message: string) => void,
  ) {}

  get isRunning(): boolean {
    return this.controller !== undefined;
  }

  report(id: CellId): CellReport | undefined {
    return this.found.get(id);
  }

  /** How far a cell is that is being computed for some time. */
  progress(id: CellId): CellProgress | undefined {
    return this.isLong && this.latest?.id === id ? this.latest : undefined;
  }

  /** Computes a document, instead of the one that may be computed now. */
  async start({ cells, dialect }: ComputedDocument): Promise<void> {
    if (this.requested?.cells === cells && this.requested.dialect === dialect) return;
    this.requested = { cells, dialect };
    this.controller?.abort(superseded);
    const controller = new AbortController();
    this.controller = controller;
    this.shown = performance.now();
    const { signal } = controller;
    const timer = setTimeout(() => {
      this.isLong = this.controller === controller;
      this.onChange();
    }, patience);
    try {
      const request = { cells, dialect, skipped: this.skippedOf(cells) };
      await this.connection.request("evaluate", request, {
        signal,
        // What the worker has told of a cell it does not tell again: a report counts, whatever has been asked since.
        note: (each) => void ((signal.aborted && each.kind !== "report") || this.hear(each)),
      });
    } catch (error) {
      const isCancelled = error instanceof RequestFailure && error.isCancelled;
      if (!isCancelled) this.onFailure(thrownText(error));
    }
    clearTimeout(timer);
    if (this.controller !== controller) return;
    // For whoever measures how soon the page is ready.
    if (performance.getEntriesByName(readyMark).length === 0) performance.mark(readyMark);
    this.end();
  }

  /** Stops what is being computed; a cell that was on its way has no value until it is run again. */
  cancel(): void {
    const { latest, requested } = this;
    // Where nothing is told yet of how far it is, it is at the first cell whose text has no report.
    const cells = requested?.cells.filter(({ kind }) => kind !== "remark") ?? [];
    const cell =
      cells.find(({ id }) => id === latest?.id) ??
      cells.find(({ id, text }) => this.found.get(id)?.text !== text);
    if (cell !== undefined) this.cancelled.set(cell.id, cell.text);
    this.controller?.abort();
    if (requested !== undefined) this.restart(requested);
  }

  /** Computes a cell that was cancelled. */
  again(id: CellId, document: ComputedDocument): void {
    this.cancelled.delete(id);
    this.restart({ ...document, cells: [...document.cells] });
  }

  /** Computes everything that is not yet: another worker has no values. */
  restart(document: ComputedDocument): void {
    this.requested = undefined;
    void this.start(document);
  }

  private hear(note: CellReport | CellProgress): void {
    if (note.kind === "report") this.found.set(note.id, note);
    this.latest = note.kind === "progress" ? note : undefined;
    const now = performance.now();
    if (now - this.shown < frame) return;
    this.shown = now;
    this.onChange();
  }

  private end(): void {
    this.controller = undefined;
    this.latest = undefined;
    this.isLong = false;
    this.onChange();
  }

  private skippedOf(cells: readonly DocumentCell[]): readonly CellId[] {
    return cells.filter(({ id, text }) => this.cancelled.get(id) === text).map(({ id }) => id);
  }
}
