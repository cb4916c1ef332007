import type { Requester } from "../panel.js";
import type { CellReport, ComparedValue } from "../protocol.js";

/** What the other dialect makes of the values of cells: asked for once they are there, and once for each report. */
export class Comparisons {
  private readonly found = new WeakMap<CellReport, ComparedValue>();
  private readonly asked = new WeakSet<CellReport>();

  constructor(
    private readonly request: Requester,
    private readonly onChange: () => void,
  ) {}

  of(report: CellReport): ComparedValue | undefined {
    if (report.state === "done" && !this.asked.has(report)) {
      this.asked.add(report);
      void this.ask(report);
    }
    return this.found.get(report);
  }

  private async ask(report: CellReport): Promise<void> {
    const compared = await this.request("compare", { id: report.id }).catch(() => undefined);
    if (compared === undefined) return;
    this.found.set(report, compared);
    this.onChange();
  }
}
