import { render } from "lit-html";
import { emptyDocument } from "./document/page-document.js";
import { defineEditor } from "./editor/editor-element.js";
import { definePicture } from "./results/picture-element.js";
import { defineTable } from "./results/table-element.js";
import { DocumentStore } from "./shell/document-store.js";
import { Keyboard } from "./shell/keyboard.js";
import { Page } from "./shell/page.js";
import { pageView } from "./shell/page-view.js";
import { applySettings, keepSettings, readSettings } from "./shell/settings.js";
import { startWorker } from "./shell/start-worker.js";

/** Makes the page in an element, of what the browser kept. */
function start(root: HTMLElement): void {
  for (const define of [defineEditor, definePicture, defineTable]) define();
  const store = new DocumentStore(localStorage, () => page.announce("The browser has no room to keep this."));
  const settings = readSettings(localStorage);
  const page: Page = new Page(store.read() ?? emptyDocument, settings, {
    connect: startWorker,
    show: (each) => {
      applySettings(each.settings, document.documentElement);
      render(pageView(each), root);
      root.querySelector<HTMLDialogElement>("dialog:not([open])")?.showModal();
    },
    keep: (each) => store.keep(each),
    keepSettings: (each) => keepSettings(localStorage, each),
  });
  document.addEventListener("keydown", new Keyboard(page).onKey);
  addEventListener("pagehide", () => store.flush());
  page.update();
}

const root = document.getElementById("page");
if (root !== null) start(root);
