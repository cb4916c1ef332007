import { createInterface, type Interface } from "node:readline";
import type { Progress } from "../index.js";
import { complete } from "./completion.js";
import { knowledgeOf } from "./completion-context.js";
import { History, historyPath } from "./history.js";
import { type Conversation, filesLike, historyFile } from "./machine.js";
import type { Reply, Session } from "./session.js";

/**
 * A conversation with somebody who types: prompts, history, Tab and Ctrl-C. Lines are answered one after the other;
 * what is typed while one is evaluated waits, and Ctrl-C drops both.
 */
export class Talk {
  private readonly terminal: Interface;
  private readonly history: History;
  private readonly ended: Promise<number>;
  private waiting: string[] = [];
  private running: AbortController | undefined;
  /** The answers so far. */
  private answered: Promise<void> = Promise.resolve();
  /** Whether the last that was typed is a Ctrl-C at an empty prompt. */
  private wantsToLeave = false;
  private isClosed = false;
  private helped = "";

  constructor(
    private readonly session: Session,
    private readonly conversation: Conversation,
  ) {
    const { input, output, env = {} } = conversation;
    const path = historyPath(env);
    this.history = new History(path === undefined ? undefined : historyFile(path));
    this.terminal = createInterface({
      ...{ input, output, terminal: true, historySize: 1000, removeHistoryDuplicates: true },
      history: this.history.earlier(),
      completer: (line: string, offer: Offer) => this.complete(line, offer),
    });
    output.write("Sphex. .help says what can be written here, .exit leaves.\n");
    this.terminal.on("line", (line) => this.take(line));
    this.terminal.on("SIGINT", () => this.interrupt());
    this.ended = new Promise((resolve) => {
      this.terminal.on("close", () => {
        this.isClosed = true;
        void this.answered.then(() => resolve(this.leave()));
      });
    });
    this.ask();
  }

  /** Resolves to the exit code when there is nothing more to say. */
  async end(): Promise<number> {
    return await this.ended;
  }

  private ask(): void {
    if (this.isClosed) return;
    this.terminal.setPrompt(this.session.isOpen ? "… " : "> ");
    this.terminal.prompt(true);
  }

  private take(line: string): void {
    this.wantsToLeave = false;
    this.helped = "";
    this.history.add(line);
    this.waiting.push(line);
    if (this.waiting.length === 1 && this.running === undefined) this.answered = this.answerAll();
  }

  private async answerAll(): Promise<void> {
    const { output, patiently = atOnce } = this.conversation;
    for (let line = this.waiting[0]; line !== undefined; line = this.waiting[0]) {
      this.running = new AbortController();
      const { signal } = this.running;
      let tell: (at: Progress) => void = () => undefined;
      const reply = this.session.enterAsync(line, { signal, progress: (at) => tell(at) });
      const telling = async (progress: typeof tell): Promise<Reply> => {
        tell = progress;
        return await reply;
      };
      const { kind, text } = reply instanceof Promise ? await patiently(telling) : reply;
      // What was typed meanwhile stands where the answer goes; the next prompt shows it again.
      if (text !== "") output.write(`${this.terminal.line === "" ? "" : "\r\x1b[K"}${text}\n`);
      if (kind === "exit") return this.terminal.close();
      this.waiting = this.running.signal.aborted ? [] : this.waiting.slice(1);
      this.running = undefined;
      if (this.waiting.length === 0) this.ask();
    }
  }

  /** Ctrl-C cancels what runs, or gives up what was typed; twice at an empty prompt it leaves. */
  private interrupt(): void {
    if (this.running !== undefined) return this.running.abort();
    const { terminal, session } = this;
    const isEmpty = terminal.line === "" && !session.isOpen;
    if (isEmpty && this.wantsToLeave) return terminal.close();
    terminal.write(null, { ctrl: true, name: "e" });
    this.below(isEmpty ? "Ctrl-C again or Ctrl-D leaves\n" : "");
    this.wantsToLeave = isEmpty;
    session.abandon();
    terminal.write(null, { ctrl: true, name: "u" });
    this.ask();
  }

  private complete(line: string, offer: Offer): void {
    const { cwd = "." } = this.conversation;
    const known = knowledgeOf(this.session.memory, (prefix) => filesLike(prefix, cwd));
    const { candidates, word, help } = complete(line, known, this.session.openText);
    const isInserted = candidates.length === 1 && candidates[0] !== word;
    if (help === undefined || isInserted || this.helped === line) return offer(null, [[...candidates], word]);
    // Help comes first; the next Tab lists what there is.
    this.helped = line;
    offer(null, [[], word]);
    this.below(`${help}\n`);
    this.terminal.prompt(true);
  }

  /** Writes below what is typed. The next prompt begins there, and not where a line of several rows began. */
  private below(text: string): void {
    this.conversation.output.write(`\n${text}`);
    Object.assign(this.terminal, { prevRows: 0 }); // how far up Node's readline would go
  }

  /** Where the cursor is behind a prompt, what comes next begins on a line of its own. */
  private leave(): number {
    this.conversation.output.write(this.running === undefined ? "\n" : "");
    return 0;
  }
}

type Offer = (error: null, found: [candidates: string[], word: string]) => void;

const atOnce: Required<Conversation>["patiently"] = async (work) => await work(() => undefined);
