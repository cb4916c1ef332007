import type { Requester } from "../panel.js";
import type { CellReport, ComparedValue } from "../protocol.js";

/** How long a value is looked at before it is compared, in milliseconds: not while somebody types. */
const pause = 400;

/** What the other dialect makes of the values of cells: asked for once they are there, and once for each report. */
export class Comparisons {
  private readonly found = new WeakMap<CellReport, ComparedValue>();
  private readonly asked = new WeakSet<CellReport>();

  constructor(
    private readonly request: Requester,
    /** Whether a report is still that of its cell. */
    private readonly isCurrent: (report: CellReport) => boolean,
    private readonly onChange: () => void,
  ) {}

  of(report: CellReport): ComparedValue | undefined {
    if (report.state === "done" && !this.asked.has(report)) {
      this.asked.add(report);
      setTimeout(() => void this.ask(report), pause);
    }
    return this.found.get(report);
  }

  private async ask(report: CellReport): Promise<void> {
    if (!this.isCurrent(report)) return;
    const compared = await this.request("compare", { id: report.id }).catch(() => undefined);
    if (compared === undefined) return;
    this.found.set(report, compared);
    this.onChange();
  }
}
