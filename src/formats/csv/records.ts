import type { Source, Span } from "../../language/source/span.js";
import type { ExpectedInCsv, FoundInCsv } from "./messages.js";

/**
 * The records of comma-separated values, as RFC 4180 has them: fields between commas, in quotes where they hold commas,
 * quotes or line breaks, with quotes inside doubled. Lines may end in any way; empty ones are left out.
 */
export class Field {
  constructor(
    private readonly source: Source,
    readonly start: number,
    readonly end: number,
    /** Where its content begins and ends, which is within the quotes of one that has them. */
    private readonly first = start,
    private readonly last = end,
  ) {}

  /** What it holds; a text is made when it is asked for, as there may be millions. */
  get text(): string {
    const content = this.source.text.slice(this.first, this.last);
    return this.first === this.start ? content : content.replaceAll('""', '"');
  }

  get span(): Span {
    const { source, start, end } = this;
    return { source, start, end };
  }
}

type ReportCsv = (span: Span, found: FoundInCsv, expected: ExpectedInCsv) => void;

export function recordsOf(source: Source, report: ReportCsv): Field[][] {
  const { text } = source;
  const records: Field[][] = [];
  let record: Field[] = [];
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at <= text.length; ) {
    const field = text[at] === '"' ? quotedField(source, at, report) : plainField(source, at, report);
    record.push(field);
    const { start, end } = field;
    if (text[end] === ",") at = end + 1;
    else {
      const isEmpty = record.length === 1 && start === end;
      if (!isEmpty) records.push(record);
      record = [];
      at = text.startsWith("\r\n", end) ? end + 2 : end + 1;
    }
  }
  return records;
}

/** Where a field without quotes ends. */
function endOfPlain(text: string, start: number): number {
  let end = start;
  while (end < text.length && !endings.has(text.charCodeAt(end))) end++;
  return end;
}

const endings: ReadonlySet<number> = new Set(Array.from(",\r\n", (each) => each.charCodeAt(0)));

function plainField(source: Source, start: number, report: ReportCsv): Field {
  const field = new Field(source, start, endOfPlain(source.text, start));
  if (field.text.includes('"')) report(field.span, "inner quote", "quoted field");
  return field;
}

function quotedField(source: Source, start: number, report: ReportCsv): Field {
  const { text } = source;
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  if (quote < 0) {
    report({ source, start, end: start + 1 }, "open quote", "closed field");
    return new Field(source, start, text.length, start + 1, start + 1);
  }
  const field = new Field(source, start, endOfPlain(text, quote + 1), start + 1, quote);
  if (field.end > quote + 1) report(field.span, "text behind quotes", "end of field");
  return field;
}
