import { acceptCompletion, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, indentLess, indentMore } from "@codemirror/commands";
import { forEachDiagnostic, lintKeymap } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { type Extension, Prec } from "@codemirror/state";
import { type EditorView, type KeyBinding, keymap } from "@codemirror/view";
import type { EditorServices } from "./services.js";

/** The keys of an editor. Those of the page, such as undo, are the page's. */
export function keysExtension(services: EditorServices): Extension {
  const at = (action: (text: string, offset: number) => void) => (view: EditorView) => {
    action(view.state.doc.toString(), view.state.selection.main.head);
    return true;
  };
  const own: readonly KeyBinding[] = [
    { key: "F12", run: at(services.define) },
    { key: "F2", run: at(services.rename) },
    { key: "Shift-Alt-f", run: at((text) => services.format(text)) },
    { key: "Mod-.", run: applyFirstFix },
    { key: "ArrowUp", run: (view) => isOnEdge(view, "up") && services.leave("up") },
    { key: "ArrowDown", run: (view) => isOnEdge(view, "down") && services.leave("down") },
    { key: "Tab", run: acceptCompletion },
    { key: "Mod-]", run: indentMore },
    { key: "Mod-[", run: indentLess },
  ];
  // Mod-Enter is the page's, and so is Escape where nothing of the editor is open.
  const others = defaultKeymap.filter(({ key }) => key !== "Mod-Enter" && key !== "Escape");
  return [
    Prec.high(keymap.of([...own])),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...lintKeymap, ...others]),
  ];
}

function isOnEdge({ state }: EditorView, direction: "up" | "down"): boolean {
  const { main, ranges } = state.selection;
  if (!main.empty || ranges.length > 1) return false;
  return direction === "up"
    ? state.doc.lineAt(main.head).from === 0
    : state.doc.lineAt(main.head).to === state.doc.length;
}

/** Applies the first fix of the problem at the cursor, or of the first one that has any. */
function applyFirstFix(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  let apply: (() => void) | undefined;
  forEachDiagnostic(view.state, ({ actions = [] }, from, to) => {
    const [action] = actions;
    if (action === undefined) return;
    const isHere = from <= head && head <= to;
    if (apply === undefined || isHere) apply = () => action.apply(view, from, to);
  });
  apply?.();
  return true;
}
