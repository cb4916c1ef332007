import { createInterface, type Interface } from "node:readline";
import { escapeForeign, escapeHidden, type Progress } from "../index.js";
import { complete } from "./completion.js";
import { completionContext } from "./completion-context.js";
import { History, historyPath } from "./history.js";
import { filesLike, historyFile, type NodeReplOptions } from "./machine.js";
import type { Reply, Session } from "./session.js";
import { VisibleInput } from "./visible-input.js";

/**
 * The REPL at a terminal: prompts, history, Tab and Ctrl-C. Lines are answered one after the other; what is typed while
 * one is evaluated waits, and Ctrl-C drops both.
 */
export class InteractiveRepl {
  private readonly terminal: Interface;
  private readonly history: History;
  private readonly visible: VisibleInput;
  private readonly ended: Promise<number>;
  private waiting: string[] = [];
  private running: AbortController | undefined;
  /** The answers so far. */
  private answered: Promise<void> = Promise.resolve();
  /** Whether the last that was typed is a Ctrl-C at an empty prompt. */
  private isLeaving = false;
  private isClosed = false;
  private helped = "";

  constructor(
    private readonly session: Session,
    private readonly options: NodeReplOptions,
  ) {
    const { input, output, files, env = {} } = options;
    const path = historyPath(env);
    this.history = new History(
      path === undefined || files === undefined ? undefined : historyFile(path, files),
    );
    this.visible = new VisibleInput(input);
    this.terminal = createInterface({
      ...{ input: this.visible, output, terminal: true, historySize: 1000, removeHistoryDuplicates: true },
      history: this.history.earlier(),
      completer: (line: string, callback: CompletionCallback) => this.complete(line, callback),
    });
    output.write("Sphex. .help says what can be written here, .exit leaves.\n");
    this.terminal.on("line", (line) => this.receive(line));
    this.terminal.on("SIGINT", () => this.interrupt());
    this.ended = new Promise((resolve) => {
      this.terminal.on("close", () => {
        this.isClosed = true;
        this.visible.leave();
        void this.answered.then(() => resolve(this.leave()));
      });
    });
    this.prompt();
  }

  /** Resolves to the exit code when the session ends. */
  async end(): Promise<number> {
    return await this.ended;
  }

  private prompt(): void {
    if (this.isClosed) return;
    this.terminal.setPrompt(this.session.isOpen ? "… " : "> ");
    this.terminal.prompt(true);
  }

  private receive(line: string): void {
    this.isLeaving = false;
    this.helped = "";
    this.history.add(line);
    this.waiting.push(line);
    if (this.waiting.length === 1 && this.running === undefined) this.answered = this.answerAll();
  }

  private async answerAll(): Promise<void> {
    const { output, withProgress = immediately } = this.options;
    for (let line = this.waiting[0]; line !== undefined; line = this.waiting[0]) {
      this.running = new AbortController();
      const { signal } = this.running;
      let report: (at: Progress) => void = () => undefined;
      const reply = this.session.enterAsync(line, { signal, progress: (at) => report(at) });
      const run = async (progress: typeof report): Promise<Reply> => {
        report = progress;
        return await reply;
      };
      const { kind, text } = reply instanceof Promise ? await withProgress(run) : reply;
      // What was typed meanwhile stands where the answer goes; the next prompt shows it again.
      const shown = kind === "problem" || this.session.inColour ? escapeForeign(text) : escapeHidden(text);
      if (text !== "") output.write(`${this.terminal.line === "" ? "" : "\r\x1b[K"}${shown}\n`);
      if (kind === "exit") return this.terminal.close();
      this.waiting = this.running.signal.aborted ? [] : this.waiting.slice(1);
      this.running = undefined;
      if (this.waiting.length === 0) this.prompt();
    }
  }

  /** Ctrl-C cancels what runs, or gives up what was typed; twice at an empty prompt it leaves. */
  private interrupt(): void {
    if (this.running !== undefined) return this.running.abort();
    const { terminal, session } = this;
    const isEmpty = terminal.line === "" && !session.isOpen;
    if (isEmpty && this.isLeaving) return terminal.close();
    terminal.write(null, { ctrl: true, name: "e" });
    this.below(isEmpty ? "Ctrl-C again or Ctrl-D leaves\n" : "");
    this.isLeaving = isEmpty;
    session.abandon();
    terminal.write(null, { ctrl: true, name: "u" });
    this.prompt();
  }

  private complete(line: string, callback: CompletionCallback): void {
    const { cwd = "." } = this.options;
    const context = completionContext(this.session.memory, (prefix) => filesLike(prefix, cwd));
    const { candidates, word, help } = complete(line, context, this.session.openText);
    const isInserted = candidates.length === 1 && candidates[0] !== word;
    if (help === undefined || isInserted || this.helped === line)
      return callback(null, [[...candidates], word]);
    // Help comes first; the next Tab lists what there is.
    this.helped = line;
    callback(null, [[], word]);
    this.below(`${help}\n`);
    this.terminal.prompt(true);
  }

  /** Writes below what is typed. The next prompt begins there, and not where a line of several rows began. */
  private below(text: string): void {
    this.options.output.write(`\n${escapeHidden(text)}`);
    Object.assign(this.terminal, { prevRows: 0 }); // how far up Node's readline would go
  }

  /** Where the cursor is behind a prompt, what comes next begins on a line of its own. */
  private leave(): number {
    this.options.output.write(this.running === undefined ? "\n" : "");
    return 0;
  }
}

type CompletionCallback = (error: null, completions: [candidates: string[], word: string]) => void;

const immediately: Required<NodeReplOptions>["withProgress"] = async (task) => await task(() => undefined);
