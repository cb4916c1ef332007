import type { Source, Span } from "../../language/source/span.js";
import type { ExpectedInCsv, FoundInCsv } from "./messages.js";

/**
 * The records of comma-separated values, as RFC 4180 has them: fields between commas, in quotes where they hold commas,
 * quotes or line breaks, with quotes inside doubled. Lines may end in any way; empty ones are left out.
 */
export interface Field {
  readonly text: string;
  readonly span: Span;
}

type ReportCsv = (span: Span, found: FoundInCsv, expected: ExpectedInCsv) => void;

export function recordsOf(source: Source, report: ReportCsv): Field[][] {
  const { text } = source;
  const records: Field[][] = [];
  let record: Field[] = [];
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at <= text.length; ) {
    const field = text[at] === '"' ? quotedField(source, at, report) : plainField(source, at, report);
    record.push(field);
    const { end } = field.span;
    if (text[end] === ",") at = end + 1;
    else {
      const isEmpty = record.length === 1 && field.span.start === end;
      if (!isEmpty) records.push(record);
      record = [];
      at = text.startsWith("\r\n", end) ? end + 2 : end + 1;
    }
  }
  return records;
}

function endOfPlain(text: string, start: number): number {
  const end = /[,\r\n]|$/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}

function plainField(source: Source, start: number, report: ReportCsv): Field {
  const end = endOfPlain(source.text, start);
  const span = { source, start, end };
  const text = source.text.slice(start, end);
  if (text.includes('"')) report(span, "inner quote", "quoted field");
  return { text, span };
}

function quotedField(source: Source, start: number, report: ReportCsv): Field {
  const { text } = source;
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  if (quote < 0) {
    const span = { source, start, end: text.length };
    report({ ...span, end: start + 1 }, "open quote", "closed field");
    return { text: "", span };
  }
  const end = endOfPlain(text, quote + 1);
  const span = { source, start, end };
  if (end > quote + 1) report(span, "text behind quotes", "end of field");
  return { text: text.slice(start + 1, quote).replaceAll('""', '"'), span };
}
