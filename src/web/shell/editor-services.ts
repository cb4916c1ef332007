import { type CellId, cellOf } from "../document/page-document.js";
import { type EditorServices, noServices } from "../editor/services.js";
import type { PanelHost } from "../panel.js";
import { focusEditor, focusName } from "./focus.js";
import type { NamePrompt } from "./name-prompt.js";

/** What editors ask of the page around them. */
export interface EditorHost extends Pick<PanelHost, "document" | "request" | "edit" | "announce"> {
  ask(prompt: NamePrompt): void;
  rename(id: CellId, offset: number | undefined, name: string): void;
  enterNeighbour(id: CellId, direction: "up" | "down"): boolean;
}

/** What is shown while there is no worker that answers. */
const none = (): undefined => undefined;

/** What the editor of a remark asks of the page: its words are no names. */
export const remarkServices = (page: EditorHost, id: CellId): EditorServices => ({
  ...noServices,
  changed: (text) => page.edit({ kind: "text", id, text }),
  leave: (direction) => page.enterNeighbour(id, direction),
});

/** What the editor of an expression or a program asks of the page. */
export function editorServices(page: EditorHost, id: CellId): EditorServices {
  const { request } = page;
  return {
    changed: (text) => page.edit({ kind: "text", id, text }),
    complete: (text, offset) =>
      request("complete", { id, text, offset }).catch(() => ({ start: offset, candidates: [] })),
    hover: (text, offset) => request("hover", { id, text, offset }).catch(none),
    signature: (text, offset) => request("signature", { id, text, offset }).catch(none),
    define: async (text, offset) => {
      const found = await request("define", { id, text, offset }).catch(none);
      if (found === undefined) return page.announce("There is no definition of this here.");
      if (found.span === undefined) focusName(found.id);
      else focusEditor(found.id, found.span);
    },
    rename: async (text, offset) => {
      const name = await request("renamable", { id, text, offset }).catch(none);
      if (name === undefined) return page.announce("There is no name here that can be renamed.");
      page.ask({ title: `Rename ${name} to`, value: name, accept: (next) => page.rename(id, offset, next) });
    },
    format: async (text) => {
      const formatted = await request("format", { id, text }).catch(none);
      if (formatted === undefined) return page.announce("What cannot be read cannot be formatted.");
      if (cellOf(page.document, id)?.text !== text)
        return page.announce("The cell was changed meanwhile: format again.");
      page.edit({ kind: "text", id, text: formatted });
    },
    leave: (direction) => page.enterNeighbour(id, direction),
  };
}
