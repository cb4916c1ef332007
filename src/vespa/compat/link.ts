import { Problem, type Span, SphexError } from "../../index.js";
import { type Cell, readSetup, setupText } from "./playground.js";

/**
 * Links to the playground of Vespa's documentation. Such a link holds its program behind the `#`: its JSON, packed by
 * lz-string into letters that an address may have.
 */
const playground = "https://docs.vespa.ai/playground/#";

/**
 * The most characters of a packed program. Packed text unpacks to at most about the square of its length: this much may
 * become a hundred million characters, and more should not be asked of anybody.
 */
export const mostPacked = 32_768;

/** The most characters of the JSON of a program. */
const mostUnpacked = 500_000;

/**
 * The link to a program.
 * @throws SphexError where the program is too long for one.
 */
export async function linkTo(cells: readonly Cell[]): Promise<string> {
  const { default: lz } = await import("lz-string");
  // The playground writes its JSON indented, too.
  const packed = lz.compressToEncodedURIComponent(setupText(cells, 2));
  if (packed.length <= mostPacked) return playground + packed;
  const source = { name: "link", text: "" };
  const values = { what: "program of the link", size: packed.length, limit: mostPacked };
  throw new SphexError([new Problem("link/size", values, { source, start: 0, end: 0 })]);
}

/**
 * The program in a link, in what follows its `#`, or in such a text alone.
 * @throws SphexError where there is none.
 */
export async function programIn(link: string): Promise<readonly Cell[]> {
  const source = { name: "link", text: link.trim() };
  const { text } = source;
  const start = text.indexOf("#") + 1;
  const span = { source, start, end: text.length };
  if (start === text.length || (start === 0 && text.includes(":"))) refuse("link/fragment", {}, span);
  const packed = unescaped(text.slice(start));
  checkLength("program of the link", packed.length, mostPacked, span);
  const stranger = /[^A-Za-z0-9+-]/u.exec(packed);
  if (stranger !== null) {
    const at = Math.max(text.indexOf(stranger[0], start), start);
    refuse("link/alphabet", { character: stranger[0] }, { source, start: at, end: at + stranger[0].length });
  }
  const unpacked = await unpack(packed);
  if (unpacked === undefined) refuse("link/damaged", {}, span);
  checkLength("program in the link", unpacked.length, mostUnpacked, span);
  return readSetup({ name: "link", text: unpacked });
}

/** Some programs that pass links on write + as %2B, or read it as a space. */
function unescaped(fragment: string): string {
  return fragment.replaceAll(/%2b|%20| /gi, "+");
}

/** Nothing where the text was not packed so, or not all of it is there. */
async function unpack(packed: string): Promise<string | undefined> {
  const { default: lz } = await import("lz-string");
  try {
    // The library gives nothing, null or an exception, as it happens.
    return lz.decompressFromEncodedURIComponent(packed) || undefined;
  } catch {
    return undefined;
  }
}

function checkLength(what: string, size: number, limit: number, span: Span): void {
  if (size > limit) refuse("link/size", { what, size, limit }, span);
}

function refuse(code: Problem["code"], values: Problem["values"], span: Span): never {
  throw new SphexError([new Problem(code, values, span)]);
}
