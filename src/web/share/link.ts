import { type Dialect, dialects, SphexError } from "../../index.js";
import { type Cell, frameOf, linkTo, packedLink, readSetup, textInLink } from "../../vespa/compat/compat.js";
import { pageCells } from "../document/page-cells.js";
import {
  type DocumentCell,
  type DocumentMode,
  documentOf,
  type NewCell,
  type PageDocument,
  type ResultViews,
} from "../document/page-document.js";
import { isObject, storedDocument, storedText } from "../document/storage.js";
import { vespaCells } from "./vespa-cells.js";

/**
 * Links. Those of this page are packed as the playground of Vespa's documentation packs its own, and hold what it holds,
 * with more behind it: the dialect, how results are looked at, and a program where there is one. So either page opens the
 * links of the other; what one does not know is left out.
 */
export interface Links {
  /** To this page. */
  readonly own: string;
  /** To the playground of Vespa's documentation; nothing where the document has what no cell of it can say. */
  readonly playground: string | undefined;
}

/** What a link of ours has beside cells. */
interface Extension {
  readonly dialect: Dialect;
  /** By the position of the cell. */
  readonly views?: Readonly<Record<string, ResultViews>>;
  /** The whole text, of a document that is one program. */
  readonly program?: string;
}

/**
 * The links to a document, which are to open at this base: an address without what follows its `#`.
 * @throws SphexError where it is too long for a link.
 */
export async function linksTo(document: PageDocument, base: string): Promise<Links> {
  const cells = cellsFor(document);
  const setup = { f: (cells ?? []).map(frameOf), sphex: extensionOf(document) };
  const own = await packedLink(JSON.stringify(setup), `${base}#`);
  return { own, playground: cells === undefined ? undefined : await linkTo(cells) };
}

function cellsFor({ cells }: PageDocument): readonly Cell[] | undefined {
  try {
    return vespaCells(cells);
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

function extensionOf({ cells, dialect, mode }: PageDocument): Extension {
  const views = Object.fromEntries(
    cells.flatMap((cell, at) => (hasViews(cell) ? [[`${at}`, cell.views]] : [])),
  );
  const [only] = cells;
  return {
    dialect,
    ...(Object.keys(views).length > 0 && { views }),
    ...(mode === "program" && only !== undefined && { program: only.text }),
  };
}

const hasViews = (cell: DocumentCell): cell is Exclude<DocumentCell, { readonly kind: "remark" }> =>
  cell.kind !== "remark" && Object.keys(cell.views).length > 0;

/**
 * The document in a link of either page. One without our extension is read as Vespa reads it.
 * @throws SphexError where there is none in it.
 */
export async function documentInLink(link: string): Promise<PageDocument> {
  const text = await textInLink(link);
  const cells = readSetup({ name: "link", text });
  const extension = extensionIn(text);
  if (extension === undefined) return documentOf(pageCells(cells), { dialect: "vespa" });
  const { dialect, views, program } = extension;
  const mode: DocumentMode = program === undefined ? "cells" : "program";
  const plain: readonly NewCell[] =
    program === undefined ? pageCells(cells) : [{ kind: "program", text: program }];
  const viewed = plain.map((cell, at) => ({ ...cell, views: views[`${at}`] }));
  return checked(viewed, mode, dialect) ?? documentOf(plain, { mode, dialect });
}

/** Views come from outside, and are read as those of the storage are. */
function checked(cells: readonly object[], mode: DocumentMode, dialect: Dialect): PageDocument | undefined {
  const form = JSON.parse(storedText(documentOf([], { mode, dialect })));
  return storedDocument(JSON.stringify({ ...form, cells }));
}

interface FoundExtension {
  readonly dialect: Dialect;
  readonly views: Readonly<Record<string, unknown>>;
  readonly program: string | undefined;
}

/** What our pages add; nothing in a link of the playground. */
function extensionIn(text: string): FoundExtension | undefined {
  const setup = plainJson(text);
  const found = isObject(setup) ? setup.sphex : undefined;
  if (!isObject(found)) return undefined;
  return {
    dialect: dialects.find((each) => each === found.dialect) ?? "vespa",
    views: isObject(found.views) ? found.views : {},
    program: typeof found.program === "string" ? found.program : undefined,
  };
}

/** A setup may have been read that is not strictly JSON, such as one with NaN in what nobody looks at. */
function plainJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
