import { render } from "lit-html";
import { emptyDocument } from "./document/page-document.js";
import { storedDocument, storedText } from "./document/storage.js";
import { defineEditor } from "./editor/editor-element.js";
import { Page } from "./shell/page.js";
import { pageView } from "./shell/page-view.js";
import { startWorker } from "./shell/start-worker.js";

const root = document.getElementById("page");

if (root !== null) {
  defineEditor();
  const stored = storedDocument(localStorage.getItem("sphex-document") ?? "");
  const page = new Page(
    stored ?? emptyDocument,
    startWorker,
    (each) => render(pageView(each), root),
    (document) => localStorage.setItem("sphex-document", storedText(document)),
  );
  page.update();
}
