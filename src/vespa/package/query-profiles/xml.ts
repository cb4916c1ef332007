import type { Problem } from "../../../language/source/problem.js";
import type { Source, Span } from "../../../language/source/span.js";
import type { ExpectedInXml } from "../model/messages.js";
import { problem } from "../model/messages.js";

/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  /** Its start tag. */
  readonly span: Span;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text that stands in it and in none of its children, without the white space at its ends. */
  readonly text: string;
  /** The same with the white space. */
  readonly whole: string;
  /** From its first character of text to its last. */
  readonly textSpan: Span;
}

interface OpenElement extends Omit<XmlElement, "children" | "text" | "whole" | "textSpan"> {
  readonly children: XmlElement[];
  readonly texts: { readonly text: string; readonly start: number; readonly end: number }[];
}

/** What was read of a document: its root element, or the first mistake. */
export interface XmlDocument {
  readonly root?: XmlElement;
  readonly problems: readonly Problem[];
}

/**
 * The root element of an XML document, as far as configuration needs XML: elements, attributes, text, comments and the
 * five entities that need no declaration. At the first mistake the rest is left.
 */
export const readXml = (source: Source): XmlDocument => new XmlReader(source).document();

const startTag = /<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y;
const endTag = /<\/([\w:.-]+)\s*>/y;

/** Markup that ends with a text of its own, and whether what is between is text of the element around. */
const delimited = [
  { begin: "<![CDATA[", end: "]]>", isText: true },
  { begin: "<!--", end: "-->", isText: false },
  { begin: "<?", end: "?>", isText: false },
] as const;

/** What declares the type of a document, which Vespa refuses. */
const documentType = "<!DOCTYPE";

class XmlReader {
  private readonly text: string;
  /** The elements whose end is still to come, from the outermost. */
  private readonly open: OpenElement[] = [];
  private root: XmlElement | undefined;
  private at = 0;

  constructor(private readonly source: Source) {
    this.text = source.text;
  }

  document(): XmlDocument {
    const { text } = this;
    while (this.at < text.length) {
      const problem = this.characters() ?? (this.at < text.length ? this.markup() : undefined);
      if (problem !== undefined) return { problems: [problem] };
    }
    const unclosed = this.open.at(-1);
    if (unclosed !== undefined)
      return { problems: [this.fault(unclosed.span.start, unclosed.span.end, "matching end tag")] };
    if (this.root === undefined) return { problems: [this.fault(0, text.length, "element")] };
    return { root: this.root, problems: [] };
  }

  /** The text up to the next markup, which belongs to the innermost element. */
  private characters(): Problem | undefined {
    const { at: start } = this;
    const next = this.text.indexOf("<", start);
    const end = next < 0 ? this.text.length : next;
    const found = this.text.slice(start, end);
    this.at = end;
    const inner = this.open.at(-1);
    if (inner === undefined && found.trim() !== "" && found !== "\ufeff")
      return this.fault(start, end, "element");
    if (end > start) inner?.texts.push({ text: unescaped(found), start, end });
    return undefined;
  }

  private markup(): Problem | undefined {
    const { text, at } = this;
    const found = delimited.find(({ begin }) => text.startsWith(begin, at));
    if (found !== undefined) return this.delimited(found);
    if (text.startsWith(documentType, at))
      return this.fault(at, at + documentType.length, "no document type");
    const closing = this.match(endTag);
    if (closing !== null) return this.close(closing);
    const opening = this.match(startTag);
    return opening === null ? this.fault(at, at + 1, "tag") : this.begin(opening);
  }

  private delimited({ begin, end, isText }: (typeof delimited)[number]): Problem | undefined {
    const start = this.at + begin.length;
    const stop = this.text.indexOf(end, start);
    const inner = this.open.at(-1);
    if (stop < 0 || (isText && inner === undefined)) return this.fault(this.at, start, "end of markup");
    if (isText) inner?.texts.push({ text: this.text.slice(start, stop), start, end: stop });
    this.at = stop + end.length;
    return undefined;
  }

  private close([whole, name]: RegExpExecArray): Problem | undefined {
    const end = this.at + whole.length;
    const inner = this.open.at(-1);
    if (inner === undefined || inner.name !== name) return this.fault(this.at, end, "matching end tag");
    this.open.pop();
    this.add(inner);
    this.at = end;
    return undefined;
  }

  private begin([whole, name = "", attributes = "", isEmpty]: RegExpExecArray): Problem | undefined {
    const [start, end] = [this.at, this.at + whole.length];
    if (this.open.length === 0 && this.root !== undefined) return this.fault(start, end, "one element");
    const span = this.span(start, end);
    const element = { name, span, attributes: attributesIn(attributes), children: [], texts: [] };
    if (isEmpty === "/") this.add(element);
    else this.open.push(element);
    this.at = end;
    return undefined;
  }

  /** Adds an element that is complete to the one around it; one that none is around is the root. */
  private add({ texts, ...element }: OpenElement): void {
    const [first, last] = [texts[0], texts.at(-1)];
    const textSpan =
      first === undefined || last === undefined ? element.span : this.span(first.start, last.end);
    const whole = texts.map((each) => each.text).join("");
    const complete = { ...element, text: whole.trim(), whole, textSpan };
    const outer = this.open.at(-1);
    if (outer === undefined) this.root = complete;
    else outer.children.push(complete);
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  private span(start: number, end: number): Span {
    return { source: this.source, start, end };
  }

  private fault(start: number, end: number, expected: ExpectedInXml): Problem {
    const stop = Math.max(start, Math.min(end, this.text.length));
    return problem("xml/syntax", this.span(start, stop), { expected });
  }
}

function attributesIn(text: string): Map<string, string> {
  const found = text.matchAll(/\s*([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy);
  return new Map(
    Array.from(found, ([, name = "", double, single]) => [name, unescaped(double ?? single ?? "")]),
  );
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The text that entities stand for; one that is not known stands for itself. */
function unescaped(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,8}));/g,
    (whole, decimal, hexadecimal, name) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
