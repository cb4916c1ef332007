import { thrownText } from "../../language/source/thrown.js";
import { documentOf } from "../document/page-document.js";
import type { PanelHost } from "../panel.js";

/**
 * What the address of the page asks for behind its `#`: a packed document, `text=` with a program, or `example=` with the name of
 * an example. What is opened takes the place of the document; undo brings that back.
 */
export async function openAddress(host: PanelHost, hash: string): Promise<boolean> {
  const text = hash.replace(/^#/, "");
  if (text === "") return false;
  try {
    if (text.startsWith("text=")) {
      const program = decodeURIComponent(text.slice("text=".length));
      host.edit({
        kind: "replace",
        document: documentOf([{ kind: "program", text: program }], { mode: "program" }),
      });
      return true;
    }
    if (text.startsWith("example=")) return await openExample(host, text.slice("example=".length));
    host.edit({ kind: "replace", document: await host.request("openLink", { link: `#${text}` }) });
    return true;
  } catch (error) {
    host.announce(`The link cannot be opened: ${thrownText(error)}`);
    return false;
  }
}

async function openExample(host: PanelHost, id: string): Promise<boolean> {
  const [{ examples }, { exampleDocument }] = await Promise.all([
    import("../learn/examples.js"),
    import("../learn/example-document.js"),
  ]);
  const found = examples.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no example ${id}`);
  host.edit({ kind: "replace", document: exampleDocument(found) });
  return true;
}
