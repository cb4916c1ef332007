import { clearScreenDown, cursorTo, emitKeypressEvents, moveCursor } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { type Draft, draftOf, emptyDraft, erased, inserted, type Motion, moved, replaced } from "./draft.js";
import { type Action, actionOf, type Key, type OtherAction, textOf } from "./keys.js";
import { Recall } from "./recall.js";
import { type View, viewOf } from "./view.js";

/** What the editor asks of whoever it edits for. */
export interface LineReader {
  /** Whether a text can be entered, or goes on in the next line. */
  readonly isComplete: (text: string) => boolean;
  /** Takes what was entered. Meanwhile nothing is drawn; the promise ends when the next may come. */
  readonly enter: (text: string) => Promise<void>;
  /** Ctrl-C: `isEmpty` where nothing is written. */
  readonly interrupt: (isEmpty: boolean) => void;
  readonly complete: (before: string) => EditorCompletion;
  readonly inColour: () => boolean;
}

/** What may stand for the word before the cursor, or what to show instead. */
export interface EditorCompletion {
  readonly word: string;
  readonly candidates: readonly string[];
  readonly note?: string | undefined;
}

/** The keyboard of a terminal. */
export type Keyboard = Readable & { readonly setRawMode?: (isRaw: boolean) => void };

interface Press {
  readonly text: string | undefined;
  readonly key: Key;
}

/** Edits statements of several lines at a terminal, one after the other. */
export class LineEditor {
  private draft: Draft = emptyDraft;
  private readonly recall: Recall;
  /** What Ctrl-Y writes. */
  private cut = "";
  private search: { text: string; at: number; before: Draft } | undefined;
  private isPasting = false;
  private isBusy = false;
  private isClosed = false;
  /** Whether no more keys come. */
  private isAtEnd = false;
  private waiting: Press[] = [];
  /** How many rows the cursor is below the first row of what is drawn. */
  private row = 0;
  private end: () => void = () => undefined;
  readonly ended: Promise<void>;

  constructor(
    private readonly keyboard: Keyboard,
    private readonly screen: Writable,
    private readonly reader: LineReader,
    entries: readonly string[],
  ) {
    this.recall = new Recall(entries);
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    emitKeypressEvents(keyboard);
    keyboard.setRawMode?.(true);
    if (this.isTerminal) screen.write(pasteMode(true));
    keyboard.on("keypress", (text: string | undefined, key: Key) => this.press({ text, key }));
    keyboard.on("end", () => this.atEnd());
    screen.on("resize", () => this.resized());
    this.draw();
  }

  /** Ends the editor, where it is. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.keyboard.setRawMode?.(false);
    if (this.isTerminal) this.screen.write(pasteMode(false));
    this.end();
  }

  /** Gives up what is written and what waits. */
  abandon(): void {
    this.waiting = [];
    this.below("");
    this.draft = emptyDraft;
    this.draw();
  }

  /** Writes below what is being written, and then draws that again. */
  below(text: string): void {
    this.toEnd();
    this.screen.write(`\n${text}`);
    this.row = 0;
    this.draw();
  }

  private get isTerminal(): boolean {
    return "isTTY" in this.screen && this.screen.isTTY === true;
  }

  private get columns(): number {
    const { screen } = this;
    return "columns" in screen && typeof screen.columns === "number" && screen.columns > 3
      ? screen.columns
      : Number.POSITIVE_INFINITY;
  }

  private press(press: Press): void {
    if (this.isClosed) return;
    const isInterrupt = actionOf(press.key)?.does === "interrupt";
    if (!this.isBusy) this.obey(press);
    else if (isInterrupt) this.interruptRun();
    else this.waiting.push(press);
  }

  private interruptRun(): void {
    this.waiting = [];
    this.reader.interrupt(false);
  }

  /** No more keys come: what waits is obeyed first. */
  private atEnd(): void {
    this.isAtEnd = true;
    if (!this.isBusy) this.close();
  }

  private obey({ text, key }: Press): void {
    const action = actionOf(key);
    if (this.isPasting && action?.does !== "pasted") {
      const typed = key.name === "return" || key.name === "enter" ? "\n" : key.name === "tab" ? "  " : text;
      this.draft = inserted(this.draft, typed ?? "");
      return;
    }
    if (this.search !== undefined && this.searched(text, key, action)) return;
    const typed = textOf(text, key);
    if (action !== undefined) this.act(action);
    else if (typed !== undefined) {
      this.draft = inserted(this.draft, typed);
      this.draw();
    }
  }

  private act(action: Action): void {
    if (!("motion" in action)) this.others[action.does]();
    else if (action.does === "move")
      this.change(this.suggested(action.motion) ?? moved(this.draft, action.motion));
    else this.erase(action.motion);
  }

  private erase(motion: Motion): void {
    const { draft, erased: cut } = erased(this.draft, motion);
    if (cut.length > 1) this.cut = cut;
    this.change(draft);
  }

  private readonly others: Readonly<Record<OtherAction, () => void>> = {
    enter: () => this.enter(),
    newline: () => this.change(inserted(this.draft, "\n")),
    complete: () => this.complete(),
    yank: () => this.change(inserted(this.draft, this.cut)),
    earlier: () =>
      this.change(moved(this.draft, "up") ?? this.recalled(this.recall.earlier(this.draft.text))),
    later: () => this.change(moved(this.draft, "down") ?? this.recalled(this.recall.later())),
    search: () => {
      this.search = { text: "", at: 0, before: this.draft };
      this.draw();
    },
    clear: () => {
      cursorTo(this.screen, 0, 0);
      clearScreenDown(this.screen);
      this.row = 0;
      this.draw();
    },
    interrupt: () => this.reader.interrupt(this.draft.text === ""),
    end: () => (this.draft.text === "" ? this.close() : this.change(erased(this.draft, "right").draft)),
    paste: () => {
      this.isPasting = true;
    },
    pasted: () => {
      this.isPasting = false;
      this.draw();
    },
    cancel: () => undefined,
  };

  private recalled(text: string | undefined): Draft | undefined {
    return text === undefined ? undefined : draftOf(text);
  }

  private change(draft: Draft | undefined): void {
    if (draft === undefined) return;
    this.draft = draft;
    this.draw();
  }

  /** At the end of the text, to the right means into the suggestion. */
  private suggested(motion: Motion): Draft | undefined {
    const isForward = motion === "right" || motion === "lineEnd";
    const suggestion = isForward ? this.suggestion() : undefined;
    return suggestion === undefined ? undefined : draftOf(suggestion);
  }

  private suggestion(): string | undefined {
    const { text, cursor } = this.draft;
    return this.reader.inColour() && cursor === text.length ? this.recall.suggestion(text) : undefined;
  }

  private complete(): void {
    const { text, cursor } = this.draft;
    const { word, candidates, note } = this.reader.complete(text.slice(0, cursor));
    const common = commonStart(candidates);
    if (common.length > word.length)
      return this.change(replaced(this.draft, cursor - word.length, cursor, common));
    if (note !== undefined) this.below(`${note}\n`);
    else if (candidates.length > 1) this.below(`${inColumns(candidates, this.columns)}\n`);
  }

  private enter(): void {
    const { text } = this.draft;
    if (!this.reader.isComplete(text)) return this.change(inserted(draftOf(text), "\n"));
    this.toEnd();
    this.screen.write("\n");
    this.row = 0;
    this.draft = emptyDraft;
    // What was pasted may end with the end of its last line.
    this.recall.add(text.trimEnd());
    this.isBusy = true;
    void this.reader.enter(text).then(() => this.next());
  }

  /** Obeys the keys that came meanwhile. */
  private next(): void {
    this.isBusy = false;
    if (this.isClosed) return;
    this.draw();
    for (let press = this.waiting.shift(); press !== undefined; press = this.waiting.shift()) {
      this.obey(press);
      if (this.isBusy || this.isClosed) return;
    }
    if (this.isAtEnd) this.close();
  }

  /** Ctrl-R: what is typed is looked for in the statements of earlier; returns whether the key was for that. */
  private searched(text: string | undefined, key: Key, action: Action | undefined): boolean {
    const { search } = this;
    if (search === undefined) return false;
    const typed = textOf(text, key);
    if (typed !== undefined) this.search = { ...search, text: search.text + typed, at: 0 };
    else if (action?.does === "search") {
      const at = this.recall.found(search.text, search.at + 1)?.at;
      this.search = { ...search, at: at ?? search.at };
    } else if (key.name === "backspace") this.search = { ...search, text: search.text.slice(0, -1), at: 0 };
    else {
      this.search = undefined;
      const isGivenUp = action?.does === "cancel" || action?.does === "interrupt";
      if (isGivenUp) this.draft = search.before;
      this.draw();
      return isGivenUp;
    }
    const found = this.recall.found(this.search.text, this.search.at);
    if (found !== undefined) {
      this.search = { ...this.search, at: found.at };
      const cursor = found.entry.indexOf(this.search.text) + this.search.text.length;
      this.draft = { text: found.entry, cursor };
    }
    this.draw();
    return true;
  }

  private view(): View {
    const { text } = this.draft;
    const prompt = this.search === undefined ? usualPrompt : `search ${this.search.text}: `;
    const suggestion = this.search === undefined ? this.suggestion()?.slice(text.length) : undefined;
    const [columns, inColour] = [this.columns, this.reader.inColour()];
    return viewOf(this.draft, { columns, prompt, suggestion, inColour, matches: true });
  }

  private draw(): void {
    if (!this.isBusy && !this.isClosed && !this.isPasting) this.show(this.view());
  }

  /** A narrower terminal has broken the rows anew, most probably as they will be drawn. */
  private resized(): void {
    this.row = Math.max(this.row, this.view().row);
    this.draw();
  }

  /** Shows what is written without a suggestion, and the cursor of the screen behind it; that of the draft stays where it is. */
  private toEnd(): void {
    const [columns, inColour] = [this.columns, this.reader.inColour()];
    const view = { columns, prompt: usualPrompt, inColour, matches: false };
    this.show(viewOf(draftOf(this.draft.text), view));
  }

  private show({ rows, row, column }: View): void {
    const { screen } = this;
    cursorTo(screen, 0);
    if (this.row > 0) moveCursor(screen, 0, -this.row);
    clearScreenDown(screen);
    screen.write(rows.join("\r\n"));
    if (rows.length - 1 > row) moveCursor(screen, 0, row + 1 - rows.length);
    cursorTo(screen, column);
    this.row = row;
  }
}

const usualPrompt = "> ";

/** Whether what is pasted comes between two marks. */
const pasteMode = (isOn: boolean): string => `\x1b[?2004${isOn ? "h" : "l"}`;

function commonStart(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let end = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, end))) end--;
  return first.slice(0, end);
}

/** Words in columns, as many as fit beside each other. */
function inColumns(words: readonly string[], columns: number): string {
  const width = words.reduce((most, { length }) => Math.max(most, length), 0) + 2;
  const count = Math.max(1, Math.floor(Math.min(columns, 100) / width));
  const lines: string[] = [];
  for (let at = 0; at < words.length; at += count)
    lines.push(
      words
        .slice(at, at + count)
        .map((each) => each.padEnd(width))
        .join("")
        .trimEnd(),
    );
  return lines.join("\n");
}
