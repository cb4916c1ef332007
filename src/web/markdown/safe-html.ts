import createSanitizer from "dompurify";
import { Marked } from "marked";

/** What a remark may consist of: text, lists, tables, code and links. */
const elements = [
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote"],
  ...["ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"],
  ...["em", "strong", "del", "code", "pre", "sub", "sup", "a"],
];

/** HTML in a remark is text: only Markdown makes elements. */
const markdownReader = new Marked({
  gfm: true,
  renderer: { html: ({ text }) => text.replace(/[&<>]/g, (sign) => signs[sign] ?? "") },
});

const signs: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const sanitizer = createSanitizer(window);

// A link opens beside the page, and does not tell where it was.
sanitizer.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A" || !node.hasAttribute("href")) return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

/** Markdown as HTML in which nothing runs, and nothing is fetched. */
export function safeHtml(markdown: string): string {
  const html = markdownReader.parse(markdown, { async: false });
  return sanitizer.sanitize(html, {
    ALLOWED_TAGS: elements,
    ALLOWED_ATTR: ["href", "title", "start", "align"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i,
  });
}
