import type { Problem } from "../index.js";

/** So many notes at most are remembered. */
const mostNotes = 1000;

/** What was entered that Vespa does not have: counted, and listed for who asks. */
export class PortabilityNotes {
  private readonly notes = new Set<string>();
  private isTold = false;

  /** Whether nothing is told while statements are entered: in a script, whose output is its values. */
  isQuiet = false;

  get lines(): readonly string[] {
    return [...this.notes];
  }

  /** Remembers the notes among problems. The first time it returns how they are read. */
  add(problems: readonly Problem[]): readonly string[] {
    for (const { severity, summary } of problems)
      if (severity === "portability" && this.notes.size < mostNotes) this.notes.add(summary);
    if (this.isTold || this.isQuiet || this.notes.size === 0) return [];
    this.isTold = true;
    return ["note: Vespa does not have all of this: .portable tells what, here and later"];
  }

  /** How many there are, as a line, if there are any. */
  get count(): readonly string[] {
    const { size } = this.notes;
    if (size === 0) return [];
    const [count, them] = size === 1 ? ["1 note", "it"] : [`${size} notes`, "them"];
    return [`${count} on portability to Vespa: .portable shows ${them}`];
  }
}
