import { bracketMatching } from "@codemirror/language";
import { search } from "@codemirror/search";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, rectangularSelection } from "@codemirror/view";
import { completionExtension } from "./completion.js";
import { findingsExtension, isSameFindings, setFindings } from "./findings.js";
import { hoverExtension } from "./hover.js";
import { keysExtension } from "./keys.js";
import type { CodeEditor, CodeEditorOptions, EditorFindings, EditorServices } from "./services.js";
import { signatureExtension } from "./signature.js";
import { editorTheme } from "./theme.js";

/** Marks a change that comes from the document, such as undo: it is not told back. */
const fromDocument = Annotation.define<boolean>();

/** A code editor in the shadow of an element, whose text is that of a cell. Undo is the page's. */
export function createEditor({ parent, text, label, services }: CodeEditorOptions): CodeEditor {
  const changes = EditorView.updateListener.of((update) => {
    const isTold = update.transactions.every((each) => each.annotation(fromDocument) !== true);
    if (update.docChanged && isTold) services.changed(update.state.doc.toString());
  });
  const extensions: Extension = [
    drawSelection(),
    bracketMatching(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, autocapitalize: "off", spellcheck: "false" }),
    EditorState.allowMultipleSelections.of(true),
    EditorView.clickAddsSelectionRange.of((event) => event.altKey),
    rectangularSelection(),
    EditorView.domEventHandlers({ mousedown: (event, view) => definedByClick(event, view, services) }),
    completionExtension(services),
    hoverExtension(services),
    signatureExtension(services),
    keysExtension(services),
    search({ top: true }),
    findingsExtension,
    editorTheme,
    changes,
  ];
  const view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent, root: parent });
  return new MountedEditor(view);
}

/** A click with the key for commands goes to the definition of a name; with Alt it makes another cursor. */
function definedByClick(event: MouseEvent, view: EditorView, { define }: EditorServices): boolean {
  const offset = view.posAtCoords(event);
  if (!(event.ctrlKey || event.metaKey) || event.altKey || offset === null) return false;
  define(view.state.doc.toString(), offset);
  return true;
}

/** What is shown beside a text, and the very text that it was set for: it moves when that changes. */
interface ShownFindings {
  readonly findings: EditorFindings;
  readonly document: EditorState["doc"];
}

class MountedEditor implements CodeEditor {
  private shown: ShownFindings | undefined;

  constructor(private readonly view: EditorView) {}

  get text(): string {
    return this.view.state.doc.toString();
  }

  get hasFocus(): boolean {
    return this.view.hasFocus;
  }

  /** Changes only what differs, so that the cursor stays where it was. */
  setText(text: string): void {
    const { text: before } = this;
    if (text === before) return;
    const most = Math.min(text.length, before.length);
    let start = 0;
    while (start < most && text[start] === before[start]) start++;
    let end = 0;
    while (end < most - start && text[text.length - 1 - end] === before[before.length - 1 - end]) end++;
    this.view.dispatch({
      changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) },
      annotations: fromDocument.of(true),
    });
  }

  setFindings(findings: EditorFindings): void {
    const { doc: document } = this.view.state;
    // Each change makes the browser lay the page out: cells that were computed again mostly have what they had.
    const isShown = this.shown?.document === document && isSameFindings(this.shown.findings, findings);
    if (isShown || findings.text !== this.text) return;
    this.shown = { findings, document };
    this.view.dispatch(setFindings(this.view.state, findings));
  }

  focus(): void {
    this.view.focus();
  }

  select(start: number, end: number): void {
    this.view.dispatch({ selection: { anchor: start, head: end }, scrollIntoView: true });
  }
}
