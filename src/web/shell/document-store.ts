import type { PageDocument } from "../document/page-document.js";
import { storedDocument, storedText } from "../document/storage.js";

const key = "sphex-document";
/** How long after an edit a document is kept, in milliseconds: not with each key. */
const pause = 300;

/** Keeps the document of the page in the browser, so that nothing is lost when it is closed. */
export class DocumentStore {
  private latest: PageDocument | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

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
    } catch {
      this.onFailure();
    }
    this.latest = undefined;
  }
}
