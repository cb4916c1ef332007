import { escapeForeign, escapeHidden, type Progress } from "../../index.js";
import { complete } from "../completion/completion.js";
import { completionContext } from "../completion/completion-context.js";
import { type EditorCompletion, LineEditor } from "../editor/line-editor.js";
import { isComplete } from "../open-lines.js";
import type { Reply, Session } from "../session.js";
import { History, historyPath } from "./history.js";
import { filesLike, historyFile, type NodeReplOptions } from "./machine.js";
import { VisibleInput } from "./visible-input.js";

/**
 * The REPL at a terminal: an editor of statements, their history, Tab and Ctrl-C. Statements are answered one after the other; what is
 * typed while one is evaluated waits, and Ctrl-C drops both.
 */
export class InteractiveRepl {
  private readonly editor: LineEditor;
  private readonly history: History;
  private readonly visible: VisibleInput;
  private running: AbortController | undefined;
  /** Whether the last that was typed is a Ctrl-C at an empty prompt. */
  private isLeaving = false;
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
    output.write("Sphex. .help says what can be written here, .exit leaves.\n");
    const reader = {
      isComplete,
      enter: async (text: string) => await this.answer(text),
      interrupt: (isEmpty: boolean) => this.interrupt(isEmpty),
      complete: (before: string) => this.complete(before),
      inColour: () => session.inColour,
    };
    this.editor = new LineEditor(this.visible, output, reader, this.history.earlier());
  }

  /** Resolves to the exit code when the session ends. */
  async end(): Promise<number> {
    await this.editor.ended;
    this.visible.leave();
    this.options.output.write("\n");
    return 0;
  }

  private async answer(text: string): Promise<void> {
    const { output, withProgress = immediately } = this.options;
    this.isLeaving = false;
    this.helped = "";
    this.history.add(text.trimEnd());
    this.running = new AbortController();
    const { signal } = this.running;
    let report: (at: Progress) => void = () => undefined;
    const reply = this.session.enterAsync(text, { signal, progress: (at) => report(at) });
    const run = async (progress: typeof report): Promise<Reply> => {
      report = progress;
      return await reply;
    };
    const first = reply instanceof Promise ? await withProgress(run) : reply;
    // A blank line ends a statement, whatever it lacks.
    const { kind, text: said } = first.kind === "more" ? this.session.finish() : first;
    const shown = kind === "problem" || this.session.inColour ? escapeForeign(said) : escapeHidden(said);
    if (said !== "") output.write(`${shown}\n`);
    this.running = undefined;
    if (kind === "exit") this.editor.close();
  }

  /** Ctrl-C cancels what runs, or gives up what was typed; twice at an empty prompt it leaves. */
  private interrupt(isEmpty: boolean): void {
    if (this.running !== undefined) return this.running.abort();
    if (isEmpty && this.isLeaving) return this.editor.close();
    this.isLeaving = isEmpty;
    if (isEmpty) this.editor.below("Ctrl-C again or Ctrl-D leaves\n");
    else this.editor.abandon();
  }

  private complete(before: string): EditorCompletion {
    const { cwd = "." } = this.options;
    const context = completionContext(this.session.memory, (prefix) => filesLike(prefix, cwd));
    const at = before.lastIndexOf("\n") + 1;
    const { candidates, word, help } = complete(
      before.slice(at),
      context,
      before.slice(0, Math.max(0, at - 1)),
    );
    // Help comes first; the next Tab lists what there is.
    const note = this.helped === before ? undefined : help;
    this.helped = before;
    return { candidates, word, note: note === undefined ? undefined : escapeHidden(note) };
  }
}

const immediately: Required<NodeReplOptions>["withProgress"] = async (task) => await task(() => undefined);
