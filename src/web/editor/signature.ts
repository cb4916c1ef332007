import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, showTooltip, type Tooltip, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { PageSignature } from "../protocol.js";
import { cardOf } from "./hover.js";
import type { EditorServices } from "./services.js";

const setSignature = StateEffect.define<Tooltip | null>();

const signature = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, { effects, changes }) {
    const effect = effects.find((each) => each.is(setSignature));
    if (effect !== undefined) return effect.value;
    return shown === null || changes.empty ? shown : { ...shown, pos: changes.mapPos(shown.pos) };
  },
  provide: (field) => showTooltip.from(field),
});

/** Shows the call around the cursor while its arguments are written. */
export function signatureExtension(services: EditorServices): Extension {
  const follower = ViewPlugin.fromClass(
    class {
      private asked = 0;

      update({ view, docChanged, selectionSet, focusChanged }: ViewUpdate): void {
        if (docChanged || selectionSet || focusChanged) void this.ask(view, docChanged);
      }

      private async ask(view: EditorView, isTyping: boolean): Promise<void> {
        const asked = ++this.asked;
        const isShown = view.state.field(signature) !== null;
        if (!isTyping && !isShown) return;
        const { head } = view.state.selection.main;
        const found = await services.signature(view.state.doc.toString(), head);
        if (asked !== this.asked || (found === undefined && !isShown)) return;
        view.dispatch({ effects: setSignature.of(found === undefined ? null : tooltipOf(found, head)) });
      }
    },
  );
  return [signature, follower];
}

const tooltipOf = (found: PageSignature, head: number): Tooltip => ({
  pos: head,
  above: true,
  create: () => ({ dom: signatureCard(found) }),
});

function signatureCard({ signature, parameters, active, description }: PageSignature): HTMLElement {
  const card = cardOf("", description === undefined ? [] : [description]);
  const line = card.querySelector("code");
  const parameter = parameters[active];
  if (line === null) return card;
  if (parameter === undefined) line.textContent = signature;
  else {
    const written = document.createElement("strong");
    written.textContent = signature.slice(parameter.start, parameter.end);
    line.append(signature.slice(0, parameter.start), written, signature.slice(parameter.end));
  }
  return card;
}
