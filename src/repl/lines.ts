/**
 * Whether what was typed so far goes on in the next line: a bracket is open, or the last sign asks for more. Only
 * brackets outside quotes and comments count; whatever is wrong beyond that is the parser's to say.
 */
export class OpenLines {
  private lines: string[] = [];
  private depth = 0;

  /** Takes a line; gives the whole text when it is complete, and then begins anew. */
  add(line: string): string | undefined {
    const signs = line.replace(quotedOrComment, (text) => (/^['"]/.test(text) ? "q" : " ")).trimEnd();
    for (const sign of signs) this.depth += "([{".includes(sign) ? 1 : ")]}".includes(sign) ? -1 : 0;
    this.lines.push(line);
    const asksForMore = /(?:[-+*/%^<>=~,:]|&&|\|\|)$/.test(signs);
    return this.depth > 0 || asksForMore ? undefined : this.take();
  }

  get isOpen(): boolean {
    return this.lines.length > 0;
  }

  /** What was typed so far, complete or not. */
  take(): string {
    const text = this.lines.join("\n");
    this.lines = [];
    this.depth = 0;
    return text;
  }
}

const quotedOrComment = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?:#|\/\/).*/g;
