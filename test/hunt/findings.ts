import { Coverage } from "./coverage.js";
import type { Found, Report } from "./hunt.js";

/** What the processes that share a hunt have come to between them. */
export class Findings {
  private readonly reports = new Map<number, Report>();
  private readonly shown = new Set<string>();

  /** Takes what a process has come to now; what is new about it. */
  take(process: number, report: Report): readonly Found[] {
    this.reports.set(process, report);
    const found = report.found.filter(({ signature }) => !this.shown.has(signature));
    for (const { signature } of found) this.shown.add(signature);
    return found;
  }

  /** A class for each kind of disagreement, the most frequent first; the shortest program stands for it. */
  get classes(): readonly Found[] {
    const classes = new Map<string, Found>();
    for (const { found } of this.reports.values())
      for (const each of found) {
        const other = classes.get(each.signature) ?? { ...each, count: 0 };
        const shorter = other.text.length < each.text.length ? other : each;
        classes.set(each.signature, { ...shorter, count: each.count + other.count });
      }
    return [...classes.values()].sort((one, other) => other.count - one.count);
  }

  get programs(): number {
    return this.sum("programs");
  }

  get coverage(): Coverage {
    const coverage = new Coverage();
    for (const { coverage: counts } of this.reports.values()) coverage.add(counts);
    return coverage;
  }

  summary(seconds: number): string {
    const { classes, programs } = this;
    const [refused, long] = [this.sum("refused"), this.sum("long")];
    const disagreements = classes.reduce((sum, { count }) => sum + count, 0);
    const left = `${refused} refused, ${long} too long`;
    return `${programs} programs, ${Math.round(programs / seconds)}/s, ${left}, ${disagreements} disagreements in ${classes.length} classes`;
  }

  private sum(count: "programs" | "refused" | "long"): number {
    return [...this.reports.values()].reduce((sum, report) => sum + report[count], 0);
  }
}
