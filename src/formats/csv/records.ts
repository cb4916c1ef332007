import type { Source, Span } from "../../language/source/span.js";
import { NumberList } from "../number-list.js";
import type { ExpectedInCsv, FoundInCsv } from "./messages.js";

/**
 * The records of comma-separated values, as RFC 4180 has them: fields between commas, in quotes where they hold commas,
 * quotes or line breaks, with quotes inside doubled. Lines may end in any way; empty ones are left out.
 */
export class Records {
  /** Where each field begins and ends, two numbers a field: a text may have millions. */
  private readonly bounds = NumberList.ofIntegers();
  /** The first field of each record, and behind the last record the number of all fields. */
  private readonly firsts = NumberList.ofIntegers();

  constructor(
    private readonly source: Source,
    private readonly report: ReportCsv,
  ) {
    const { text } = source;
    let first = 0;
    for (let at = text.startsWith("\ufeff") ? 1 : 0; at <= text.length; ) {
      const end = text.charCodeAt(at) === quote ? this.endOfQuoted(at) : this.endOfPlain(at);
      const isEmpty = this.bounds.length === 2 * first && at === end;
      const isLast = text.charCodeAt(end) !== comma;
      if (!isEmpty || !isLast) this.addField(at, end);
      if (isLast && !isEmpty) {
        this.firsts.push(first);
        first = this.bounds.length / 2;
      }
      at = isLast && text.startsWith("\r\n", end) ? end + 2 : end + 1;
    }
    this.firsts.push(first);
  }

  get count(): number {
    return this.firsts.length - 1;
  }

  /** How many fields a record has. */
  width(record: number): number {
    return this.firsts.at(record + 1) - this.firsts.at(record);
  }

  /** Whether a record has so many fields, as the header has; with others some would be in columns of others, and that is reported. */
  hasWidth(record: number, count: number): boolean {
    const found = this.width(record);
    if (found !== count)
      this.report(this.span(record), { kind: "fields", count: found }, { kind: "fields", count });
    return found === count;
  }

  /** What the fields of the first record hold, without blanks around them. */
  header(): string[] {
    if (this.count === 0) return [];
    return Array.from({ length: this.width(0) }, (_, column) => (this.text(0, column) ?? "").trim());
  }

  fields(record: number): Field[] {
    return Array.from({ length: this.width(record) }, (_, column) => this.field(record, column));
  }

  /** The field in a column of a record that is so wide. */
  field(record: number, column: number): Field {
    const field = this.firsts.at(record) + column;
    const [start, end] = [this.bounds.at(2 * field), this.bounds.at(2 * field + 1)];
    return { text: this.text(record, column) ?? "", span: { source: this.source, start, end } };
  }

  /** What the field in a column holds; nothing where the record is shorter. */
  text(record: number, column: number): string | undefined {
    if (column >= this.width(record)) return undefined;
    const field = this.firsts.at(record) + column;
    const [start, end] = [this.bounds.at(2 * field), this.bounds.at(2 * field + 1)];
    const { text } = this.source;
    if (text.charCodeAt(start) !== quote || start === end) return text.slice(start, end);
    return text.slice(start + 1, end - 1).replaceAll('""', '"');
  }

  /** Whether nothing stands in a column, not even quotes with nothing between them: then nobody has said what does. */
  isAbsent(record: number, column: number): boolean {
    const { start, end } = this.field(record, column).span;
    return start === end;
  }

  /** From the first field of a record to its last one. */
  span(record: number): Span {
    const [first, behind] = [this.firsts.at(record), this.firsts.at(record + 1)];
    return { source: this.source, start: this.bounds.at(2 * first), end: this.bounds.at(2 * behind - 1) };
  }

  private addField(start: number, end: number): void {
    this.bounds.push(start);
    this.bounds.push(end);
  }

  private endOfPlain(start: number): number {
    const { source } = this;
    const end = endOfPlain(source.text, start);
    for (let at = start; at < end; at++)
      if (source.text.charCodeAt(at) === quote) {
        this.report({ source, start, end }, "inner quote", "quoted field");
        break;
      }
    return end;
  }

  private endOfQuoted(start: number): number {
    const { source } = this;
    const { text } = source;
    let closing = text.indexOf('"', start + 1);
    while (closing >= 0 && text.charCodeAt(closing + 1) === quote) closing = text.indexOf('"', closing + 2);
    if (closing < 0) {
      this.report({ source, start, end: start + 1 }, "open quote", "closed field");
      return text.length;
    }
    const end = endOfPlain(text, closing + 1);
    if (end > closing + 1) this.report({ source, start, end }, "text behind quotes", "end of field");
    return end;
  }
}

/** What a field holds, and where it stands, with its quotes. */
export interface Field {
  readonly text: string;
  readonly span: Span;
}

type ReportCsv = (span: Span, found: FoundInCsv, expected: ExpectedInCsv) => void;

const [quote, comma, carriageReturn, lineFeed] = [0x22, 0x2c, 0x0d, 0x0a];

/** Where a field without quotes ends. */
function endOfPlain(text: string, start: number): number {
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === comma || code === lineFeed || code === carriageReturn) break;
  }
  return end;
}
