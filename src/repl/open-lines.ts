import { signsOf } from "../service/service.js";

/**
 * Whether what was typed so far goes on in the next line: a bracket is open, or the last sign asks for more. Only
 * brackets outside quotes and comments count; whatever is wrong beyond that is the parser's to say.
 */
export class OpenLines {
  private lines: string[] = [];
  /** The brackets that would close those that are open, the innermost last. */
  private closers: string[] = [];
  private asksForMore = false;

  /** Takes a line; gives the whole text when it is complete, and then begins anew. A blank line asks for nothing more. */
  add(line: string): string | undefined {
    const signs = signsOf(line).trimEnd();
    const isBroken = [...signs].some((sign) => !this.fits(sign));
    if (signs !== "" || line.trim() === "") this.asksForMore = /(?:[-+*/%^<>=~,:]|&&|\|\|)$/.test(signs);
    this.lines.push(line);
    const isOpen = this.closers.length > 0 || this.asksForMore;
    return isOpen && !isBroken ? undefined : this.take();
  }

  /** Whether a sign may stand here: a bracket that closes another one is a mistake, which no line behind it mends. */
  private fits(sign: string): boolean {
    const at = "([{".indexOf(sign);
    if (at >= 0) this.closers.push(")]}".charAt(at));
    return !")]}".includes(sign) || this.closers.pop() === sign;
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
    this.closers = [];
    this.asksForMore = false;
    return text;
  }
}

/** Whether what is typed first is a command. `.5` is meant as a number, and is told what it lacks; `?sum` and `sum?` ask for help. */
export const isCommand = (text: string): boolean => /^\s*(?:\.(?!\d)|\?|\w+\?\s*$)/.test(text);

/** Whether a text can be entered: a command, or statements of which none is open. */
export function isComplete(text: string): boolean {
  if (isCommand(text)) return true;
  const open = new OpenLines();
  let isOpen = false;
  for (const line of text.split("\n")) isOpen = open.add(line) === undefined;
  return !isOpen;
}
