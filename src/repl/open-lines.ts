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

  /** What was typed so far. */
  get text(): string {
    return this.lines.join("\n");
  }

  /** What was typed so far, complete or not; then begins anew. */
  take(): string {
    const { text } = this;
    this.lines = [];
    this.depth = 0;
    this.asksForMore = false;
    return text;
  }
}

/** A text of the same length without what stands in quotes and comments. A quote that is never closed stays. */
export function signsOf(text: string): string {
  const parts: string[] = [];
  // Behind a quote that nothing closes there is none that closes another one.
  const unclosed = new Set<string>();
  let [shown, at] = [0, 0];
  for (; at < text.length; at++) {
    const sign = text[at] ?? "";
    const isComment = sign === "#" || text.startsWith("//", at);
    const isQuote = (sign === '"' || sign === "'") && !unclosed.has(sign);
    if (!isComment && !isQuote) continue;
    const end = isComment ? endOfLine(text, at) : endOfQuote(text, at);
    if (end === undefined) unclosed.add(sign);
    else {
      parts.push(text.slice(shown, at), (isComment ? " " : "q").repeat(end - at));
      shown = end;
      at = end - 1;
    }
  }
  return parts.join("") + text.slice(shown);
}

function endOfLine(text: string, start: number): number {
  const lineBreak = /[\n\r\u2028\u2029]|$/g;
  lineBreak.lastIndex = start;
  return lineBreak.exec(text)?.index ?? text.length;
}

/** Behind the quote that closes the one at an offset. */
function endOfQuote(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === text[start]) return at + 1;
  }
  return undefined;
}
