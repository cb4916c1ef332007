import { type Problem, type Span, SphexError } from "../../index.js";
import { type LinkText, problem } from "./messages.js";
import { type Cell, readSetup, setupText } from "./playground.js";

/**
 * Links to the playground of Vespa's documentation. Such a link holds its program behind the `#`: its JSON, packed by
 * lz-string into letters that an address may have.
 */
const playground = "https://docs.vespa.ai/playground/#";

/**
 * The most characters of a packed program. Packed text unpacks to at most about the square of its length: this much may
 * become a hundred million characters, which is more than any program needs.
 */
export const mostPacked = 32_768;

/** The most characters of the JSON of a program. */
const mostUnpacked = 500_000;

/**
 * The link to a program.
 * @throws SphexError where the program is too long for one.
 */
export async function linkTo(cells: readonly Cell[]): Promise<string> {
  // The playground writes its JSON indented, too.
  return await packedLink(setupText(cells, 2), playground);
}

/**
 * A text packed behind a base that ends in `#`.
 * @throws SphexError where it is too long for a link.
 */
export async function packedLink(json: string, base: string): Promise<string> {
  const { default: lz } = await import("lz-string");
  const packed = lz.compressToEncodedURIComponent(json);
  if (packed.length <= mostPacked) return base + packed;
  const span = { source: { name: "link", text: "" }, start: 0, end: 0 };
  return refuse(problem("link/size", span, { what: "packed", size: packed.length, limit: mostPacked }));
}

/**
 * The program in a link, in what follows its `#`, or in such a text alone.
 * @throws SphexError where there is none.
 */
export async function programIn(link: string): Promise<readonly Cell[]> {
  return readSetup({ name: "link", text: await textInLink(link) });
}

/**
 * The text that is packed in a link, in what follows its `#`, or in such a text alone.
 * @throws SphexError where there is none, or more than a program needs.
 */
export async function textInLink(link: string): Promise<string> {
  const source = { name: "link", text: link.trim() };
  const { text } = source;
  const start = text.indexOf("#") + 1;
  const span = { source, start, end: text.length };
  if (start === text.length || (start === 0 && text.includes(":")))
    refuse(problem("link/fragment", span, {}));
  const packed = unescaped(text.slice(start));
  checkLength("packed", packed.length, mostPacked, span);
  const stranger = /[^A-Za-z0-9+-]/u.exec(packed);
  if (stranger !== null) {
    const at = Math.max(text.indexOf(stranger[0], start), start);
    const [character] = stranger;
    refuse(problem("link/alphabet", { source, start: at, end: at + character.length }, { character }));
  }
  const unpacked = await unpack(packed);
  if (unpacked === undefined) refuse(problem("link/damaged", span, {}));
  checkLength("unpacked", unpacked.length, mostUnpacked, span);
  return unpacked;
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

function checkLength(what: LinkText, size: number, limit: number, span: Span): void {
  if (size > limit) refuse(problem("link/size", span, { what, size, limit }));
}

function refuse(found: Problem): never {
  throw new SphexError([found]);
}
