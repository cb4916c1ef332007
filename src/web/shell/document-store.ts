import type { TextStorage } from "../browser-storage.js";
import type { PageDocument } from "../document/page-document.js";
import { storedDocument, storedText } from "../document/storage.js";

const key = "sphex-document";
const replacedKey = "sphex-replaced";
/** How long after an edit a document is kept, in milliseconds: not with each key. */
const pause = 300;
/** The most documents, and characters of them, that are kept after others took their place: a browser has room for some millions. */
const mostReplaced = 10;
const mostCharacters = 1_000_000;

/** Keeps the document of the page in the browser, so that nothing is lost when it is closed; and those that were there before. */
export class DocumentStore {
  private latest: PageDocument | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether another tab has kept its document since this one kept its own. */
  private isReplaced = false;

  constructor(
    private readonly storage: TextStorage,
    private readonly onFailure: () => void,
  ) {}

  read(): PageDocument | undefined {
    return storedDocument(this.storage.getItem(key) ?? "");
  }

  /** The documents that others took the place of, the last one last. */
  replaced(): readonly PageDocument[] {
    const present = this.storage.getItem(key);
    return this.replacedTexts()
      .filter((text) => text !== present)
      .flatMap((text) => storedDocument(text) ?? []);
  }

  /** Keeps a document that another one takes the place of, as far as there is room. */
  keepReplaced(document: PageDocument): void {
    const text = storedText(document);
    const texts = [...this.replacedTexts().filter((each) => each !== text), text].slice(-mostReplaced);
    while (texts.reduce((sum, { length }) => sum + length, 0) > mostCharacters) texts.shift();
    // Where there is none it is still there for undo, until the page is closed.
    this.isSet(replacedKey, JSON.stringify(texts));
  }

  /**
   * Whether what another tab has written, as an event of the storage tells, takes the place of the document here: once, until
   * this one is kept again.
   */
  isTakenOver({ key: changed }: Pick<StorageEvent, "key">): boolean {
    if (changed !== key || this.isReplaced) return false;
    this.isReplaced = true;
    return true;
  }

  /** Keeps a document soon. */
  keep(document: PageDocument): void {
    this.latest = document;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), pause);
  }

  /** Keeps at once what is to be kept: the page may go away. */
  flush(): void {
    if (this.latest === undefined) return;
    const text = storedText(this.latest);
    this.latest = undefined;
    // Where there is no room, it takes that of those before it.
    const isKept = this.isSet(key, text) || (this.isSet(replacedKey, "[]") && this.isSet(key, text));
    if (isKept) this.isReplaced = false;
    else this.onFailure();
  }

  /** Whether the browser takes a text: it may have no room, or keep nothing. */
  private isSet(name: string, text: string): boolean {
    try {
      this.storage.setItem(name, text);
      return true;
    } catch {
      return false;
    }
  }

  private replacedTexts(): readonly string[] {
    try {
      const texts: unknown = JSON.parse(this.storage.getItem(replacedKey) ?? "[]");
      return Array.isArray(texts) ? texts.filter((text) => typeof text === "string") : [];
    } catch {
      return [];
    }
  }
}
