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

interface OpenElement {
  readonly name: string;
  readonly span: Span;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  readonly texts: { readonly text: string; readonly start: number; readonly end: number }[];
}

const startTag = /<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y;
const endTag = /<\/([\w:.-]+)\s*>/y;

/** Markup that ends with a text of its own. */
const skipped = [
  ["<!--", "-->"],
  ["<?", "?>"],
] as const;

/** What declares the type of a document, which Vespa refuses. */
const documentType = "<!DOCTYPE";

/**
 * The root element of an XML document, as far as configuration needs XML: elements, attributes, text, comments and the
 * five entities that need no declaration. At the first mistake the rest is left.
 */
export function readXml(source: Source): {
  readonly root?: XmlElement;
  readonly problems: readonly Problem[];
} {
  const { text } = source;
  const open: OpenElement[] = [];
  const spanOf = (start: number, end: number): Span => ({ source, start, end });
  const fault = (start: number, end: number, expected: ExpectedInXml) => ({
    problems: [
      problem("xml/syntax", spanOf(start, Math.max(start, Math.min(end, text.length))), { expected }),
    ],
  });
  let root: XmlElement | undefined;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("<", at);
    const textEnd = next < 0 ? text.length : next;
    const inner = open.at(-1);
    if (inner === undefined && text.slice(at, textEnd).trim() !== "" && text.slice(at, textEnd) !== "\ufeff")
      return fault(at, textEnd, "element");
    if (textEnd > at)
      inner?.texts.push({ text: unescaped(text.slice(at, textEnd)), start: at, end: textEnd });
    if (next < 0) break;
    at = next;
    if (text.startsWith("<![CDATA[", at)) {
      const end = text.indexOf("]]>", at);
      if (end < 0 || inner === undefined) return fault(at, at + 9, "end of markup");
      inner.texts.push({ text: text.slice(at + 9, end), start: at + 9, end });
      at = end + 3;
      continue;
    }
    const markup = skipped.find(([begin]) => text.startsWith(begin, at));
    if (markup !== undefined) {
      const end = text.indexOf(markup[1], at + markup[0].length);
      if (end < 0) return fault(at, at + markup[0].length, "end of markup");
      at = end + markup[1].length;
      continue;
    }
    if (text.startsWith(documentType, at)) return fault(at, at + documentType.length, "no document type");
    const closing = matchAt(endTag, text, at);
    if (closing !== null) {
      const [whole, name] = closing;
      if (inner === undefined || inner.name !== name) return fault(at, at + whole.length, "matching end tag");
      open.pop();
      root = added(closed(inner, spanOf), open, root);
      at += whole.length;
      continue;
    }
    const opening = matchAt(startTag, text, at);
    if (opening === null) return fault(at, at + 1, "tag");
    const [whole, name = "", attributes = "", isEmpty] = opening;
    if (inner === undefined && root !== undefined) return fault(at, at + whole.length, "one element");
    const element: OpenElement = {
      ...{ name, span: spanOf(at, at + whole.length), attributes: attributesIn(attributes) },
      ...{ children: [], texts: [] },
    };
    if (isEmpty === "/") root = added(closed(element, spanOf), open, root);
    else open.push(element);
    at += whole.length;
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) return fault(unclosed.span.start, unclosed.span.end, "matching end tag");
  return root === undefined ? fault(0, text.length, "element") : { root, problems: [] };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function added(
  element: XmlElement,
  open: readonly OpenElement[],
  root: XmlElement | undefined,
): XmlElement | undefined {
  const outer = open.at(-1);
  if (outer === undefined) return element;
  outer.children.push(element);
  return root;
}

function closed(
  { name, span, attributes, children, texts }: OpenElement,
  spanOf: (start: number, end: number) => Span,
): XmlElement {
  const [first, last] = [texts[0], texts.at(-1)];
  const textSpan = first === undefined || last === undefined ? span : spanOf(first.start, last.end);
  const whole = texts.map((each) => each.text).join("");
  return { name, span, attributes, children, text: whole.trim(), whole, textSpan };
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
