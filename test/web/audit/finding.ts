/** What an audit found, beside what it may be at most. */
export interface Finding {
  readonly what: string;
  readonly found: number;
  readonly most: number;
  readonly unit: string;
  /** What it is made of, where it is too much. */
  readonly details?: readonly string[];
}

/** Findings that count what must not be there at all. */
export const none = (what: string, details: readonly string[]): Finding => ({
  ...{ what, found: details.length, most: 0, unit: "" },
  details,
});

export const isOver = ({ found, most }: Finding): boolean => !(found <= most);

/** A row for each finding, and what each of those is made of that are over their bound. */
export function findingsText(findings: readonly Finding[]): string {
  const numbers = (number: number, unit: string): string =>
    `${number.toLocaleString("en", { maximumFractionDigits: 3 })}${unit === "" ? "" : ` ${unit}`}`;
  const rows = findings.map((finding) => {
    const { what, found, most, unit, details = [] } = finding;
    const row = `${isOver(finding) ? "over" : "ok  "}  ${what.padEnd(58)} ${numbers(found, unit).padStart(10)}  at most ${numbers(most, unit)}`;
    return [row, ...(isOver(finding) ? details.slice(0, 10).map((each) => `        ${each}`) : [])].join(
      "\n",
    );
  });
  return rows.join("\n");
}
