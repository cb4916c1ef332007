import type { Extension } from "@codemirror/state";
import { hoverTooltip, type Tooltip } from "@codemirror/view";
import type { EditorServices } from "./services.js";

/** Shows what the word under the pointer is. */
export const hoverExtension = (services: EditorServices): Extension =>
  hoverTooltip(
    async (view, offset): Promise<Tooltip | null> => {
      const found = await services.hover(view.state.doc.toString(), offset);
      if (found === undefined) return null;
      const { start, end, code, remarks } = found;
      return { pos: start, end, above: true, create: () => ({ dom: cardOf(code, remarks) }) };
    },
    { hoverTime: 250 },
  );

/** A line of code with sentences below it, all of them as plain text. */
export function cardOf(code: string, remarks: readonly string[]): HTMLElement {
  const card = document.createElement("div");
  card.className = "card";
  const line = document.createElement("code");
  line.textContent = code;
  card.append(line);
  for (const remark of remarks) {
    const sentence = document.createElement("p");
    sentence.textContent = remark;
    card.append(sentence);
  }
  return card;
}
