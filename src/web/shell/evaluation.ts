import type { Connection } from "../connection.js";
import type { CellId, PageDocument } from "../document/page-document.js";
import type { CellProgress, CellReport } from "../protocol.js";

/** What is found of each cell of the document, as the worker tells it. */
export class Evaluation {
  private readonly found = new Map<CellId, CellReport>();
  private controller: AbortController | undefined;
  private requested: Pick<PageDocument, "cells" | "dialect"> | undefined;
  progress: CellProgress | undefined;

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

  /** Computes a document, instead of the one that may be computed now. */
  async start({ cells, dialect }: PageDocument): Promise<void> {
    if (this.requested?.cells === cells && this.requested.dialect === dialect) return;
    this.requested = { cells, dialect };
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    const note = (each: CellReport | CellProgress): void => {
      if (controller.signal.aborted) return;
      if (each.kind === "report") this.found.set(each.id, each);
      this.progress = each.kind === "progress" ? each : undefined;
      this.onChange();
    };
    try {
      await this.connection.request("evaluate", { cells, dialect }, { signal: controller.signal, note });
    } catch (error) {
      if (!controller.signal.aborted) this.onFailure(error instanceof Error ? error.message : `${error}`);
    }
    if (this.controller !== controller) return;
    this.controller = undefined;
    this.progress = undefined;
    this.onChange();
  }

  /** Stops what is being computed. The cells keep the values that they have. */
  cancel(): void {
    this.controller?.abort();
  }

  /** Computes everything again: another worker has no values. */
  restart(document: PageDocument): void {
    this.requested = undefined;
    void this.start(document);
  }
}
