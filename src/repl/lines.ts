/**
 * Whether what was typed so far goes on in the next line: a bracket is open, or the last sign asks for more. Only
 * brackets outside quotes and comments count; whatever is wrong beyond that is the parser's to say.
 */
export class OpenLines {
  private lines: string[] = [];
  private depth = 0;
  private asksForMore = false;

  /** Takes a line; gives the whole text when it is complete, and then begins anew. A blank line asks for nothing more. */
  add(line: string): string | undefined {
    const signs = signsOf(line).trimEnd();
    for (const sign of signs) this.depth += "([{".includes(sign) ? 1 : ")]}".includes(sign) ? -1 : 0;
    if (signs !== "" || line.trim() === "") this.asksForMore = /(?:[-+*/%^<>=~,:]|&&|\|\|)$/.test(signs);
    this.lines.push(line);
    return this.depth > 0 || this.asksForMore ? undefined : this.take();
  }

  get isOpen(): boolean {
    return this.lines.length > 0;
  }

  /** What was typed so far, complete or not. */
  take(): string {
    const text = this.lines.join("\n");
    this.lines = [];
    this.depth = 0;
    this.asksForMore = false;
    return text;
  }
}

/** The statements of a complete text: in one line, or in several that belong together, only a ; outside brackets ends one. */
export function parts(text: string): string[] {
  const signs = signsOf(text);
  let depth = 0;
  const ends = [...signs.matchAll(/[([{)\]};]/g)].filter(({ 0: sign }) => {
    depth += "([{".includes(sign) ? 1 : ")]}".includes(sign) ? -1 : 0;
    return sign === ";" && depth === 0;
  });
  const cuts = [-1, ...ends.map(({ index }) => index), text.length];
  return cuts.slice(1).map((end, at) => text.slice((cuts[at] ?? 0) + 1, end).trim());
}

/** A text of the same length without what stands in quotes and comments. */
function signsOf(text: string): string {
  return text.replace(quotedOrComment, (found) => (/^['"]/.test(found) ? "q" : " ").repeat(found.length));
}

const quotedOrComment = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|(?:#|\/\/).*/g;
