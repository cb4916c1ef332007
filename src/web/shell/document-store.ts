import type { PageDocument } from "../document/page-document.js";
import { storedDocument, storedText } from "../document/storage.js";

const key = "sphex-document";
/** How long after an edit a document is kept, in milliseconds: not with each key. */
const pause = 300;

/** Keeps the document of the page in the browser, so that nothing is lost when it is closed. */
export class DocumentStore {
  private latest: PageDocument | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether another tab has kept its document since this one kept its own. */
  private isReplaced = false;

  constructor(
    private readonly storage: Pick<Storage, "getItem" | "setItem">,
    private readonly onFailure: () => void,
  ) {}

  read(): PageDocument | undefined {
    try {
      return storedDocument(this.storage.getItem(key) ?? "");
    } catch {
      return undefined;
    }
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
    try {
      this.storage.setItem(key, storedText(this.latest));
      this.isReplaced = false;
    } catch {
      this.onFailure();
    }
    this.latest = undefined;
  }
}
