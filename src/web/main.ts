import { render } from "lit-html";
import { browserStorage } from "./browser-storage.js";
import { firstDocument } from "./document/first-document.js";
import { emptyDocument } from "./document/page-document.js";
import { defineEditor } from "./editor/editor-element.js";
import { isEmbedded, reportHeight } from "./embed/embedded.js";
import { defineRemark } from "./markdown/remark-element.js";
import { workOffline } from "./offline/register.js";
import { definePicture } from "./results/picture-element.js";
import { defineTable } from "./results/table-element.js";
import { acceptDrops } from "./share/drop.js";
import { DocumentStore } from "./shell/document-store.js";
import { Drafts } from "./shell/drafts.js";
import { Keyboard } from "./shell/keyboard.js";
import { Page } from "./shell/page.js";
import { pageView } from "./shell/page-view.js";
import { applySettings, keepSettings, readSettings } from "./shell/settings.js";
import { startWorker } from "./shell/start-worker.js";

/** Makes the page in an element, of what the browser kept. */
function start(root: HTMLElement): void {
  for (const define of [defineEditor, definePicture, defineTable, defineRemark]) define();
  const storage = browserStorage();
  const store = new DocumentStore(storage, () => page.announce(notKept));
  const settings = readSettings(storage);
  const [oldest, ...newer] = [
    ...store.replaced(),
    store.read() ?? (isEmbedded() ? emptyDocument : firstDocument),
  ];
  const page: Page = new Page([oldest, ...newer], settings, {
    connect: startWorker,
    show: (each) => {
      applySettings(each.settings, document.documentElement);
      render(pageView(each), root);
      root.querySelector<HTMLDialogElement>("dialog:not([open])")?.showModal();
    },
    keep: (each) => store.keep(each),
    keepReplaced: (each) => store.keepReplaced(each),
    keepSettings: (each) => keepSettings(storage, each),
  });
  document.addEventListener("keydown", new Keyboard(page, new Drafts(document)).onKey);
  addEventListener("pagehide", () => store.flush());
  addEventListener("storage", (event) => {
    if (!isEmbedded() && store.isTakenOver(event)) page.announce(otherTab);
  });
  page.update();
  void connect(page, root);
}

const notKept = "The browser has no room to keep this, or keeps nothing: save it as a file.";

const otherTab =
  "Another tab keeps its document in this browser now. The next change here puts this one in its place: save it as a file to have both.";

/** What belongs to the page around the document: links, dropped files, frames, and times without a network. */
async function connect(page: Page, root: HTMLElement): Promise<void> {
  acceptDrops(page, document);
  const { openAddress } = await import("./share/address.js");
  const open = async (): Promise<void> => {
    const before = page.document;
    if (!(await openAddress(page, location.hash)) || isEmbedded()) return;
    // The document goes on from here, and is kept: on reload it must not be what the link was.
    history.replaceState(null, "", location.pathname + location.search);
    if (before !== firstDocument) page.announce("The link is open; undo brings back the last document.");
  };
  addEventListener("hashchange", () => void open());
  if (isEmbedded()) {
    document.documentElement.dataset.embedded = "";
    reportHeight(root);
  } else workOffline();
  await open();
}

const root = document.getElementById("page");
if (root !== null) start(root);
