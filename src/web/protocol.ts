import type { Dialect } from "../index.js";
import type { CellId, DocumentCell, NewCell, ResultView } from "./document/page-document.js";
import type { PanelProtocol } from "./panel-protocol.js";

/**
 * What the page asks of its worker: a row for each request, with what is asked, what is answered, and what is told on the way.
 * All of it is plain data that can be copied between threads.
 */
export interface Protocol extends PanelProtocol {
  /** Computes the cells that have changed, and those that depend on them; tells each cell as soon as it is done. */
  readonly evaluate: Exchange<NotebookRequest, { readonly computed: number }, CellReport | CellProgress>;
  /** A part of a tensor as a table. */
  readonly table: Exchange<TableRequest, TableWindow | undefined>;
  /** A tensor, or a slice of it, as an SVG picture; undefined where it has none of the kind. */
  readonly picture: Exchange<PictureRequest, PagePicture | "no cells" | undefined>;
  /** Which cells made a cell, in its cell of the page and in all above. */
  readonly why: Exchange<WhyRequest, WhyReport>;
  /** Where NaN or an infinity first arises that a value has. */
  readonly notFinite: Exchange<ValueReference, NotFiniteReport>;
  /** How a cell is computed: its expressions with sizes and times. */
  readonly explain: Exchange<{ readonly id: CellId }, readonly ExplainReport[]>;
  /** What Vespa reads otherwise in a cell; nothing where the dialects agree. */
  readonly compare: Exchange<{ readonly id: CellId }, ComparedValue | undefined>;
  /** What may come next at an offset. */
  readonly complete: Exchange<CursorRequest, Completions>;
  /** What the word at an offset is. */
  readonly hover: Exchange<CursorRequest, PageHover | undefined>;
  /** The call around an offset. */
  readonly signature: Exchange<CursorRequest, PageSignature | undefined>;
  /** Where the name at an offset is defined. */
  readonly define: Exchange<CursorRequest, Definition | undefined>;
  /** What would be renamed at an offset. */
  readonly renamable: Exchange<CursorRequest, string | undefined>;
  /** The changes that give a name another text, in all cells. */
  readonly rename: Exchange<RenameRequest, Renaming>;
  /** The text of a cell as it is best laid out; nothing where it cannot be read. */
  readonly format: Exchange<TextRequest, string | undefined>;
  /** A document in the other mode; a problem where it cannot be. */
  readonly convert: Exchange<ConvertRequest, Converted>;
}

/** A row of the protocol. */
export interface Exchange<Request, Response, Note = never> {
  readonly request: Request;
  readonly response: Response;
  /** What is told before the response. */
  readonly note: Note;
}

export type RequestName = keyof Protocol;
export type RequestOf<Name extends RequestName> = Protocol[Name]["request"];
export type ResponseOf<Name extends RequestName> = Protocol[Name]["response"];
export type NoteOf<Name extends RequestName> = Protocol[Name]["note"];

/** Messages to the worker. */
export type ToWorker =
  | { readonly id: number; readonly name: RequestName; readonly request: unknown }
  | { readonly id: number; readonly cancel: true };

/** Messages from the worker; those that are ready together go together. */
export type FromWorker = readonly WorkerMessage[];

export type WorkerMessage =
  | { readonly id: number; readonly response: unknown }
  | { readonly id: number; readonly note: unknown }
  | { readonly id: number; readonly failure: Failure };

/** Why a request has no response: problems of what was asked, or a defect of Sphex. */
export interface Failure {
  readonly message: string;
  readonly problems: readonly PageProblem[];
  readonly isCancelled: boolean;
}

export interface NotebookRequest {
  readonly dialect: Dialect;
  /** Cells that are not computed, because somebody cancelled them. */
  readonly skipped: readonly CellId[];
  readonly cells: readonly DocumentCell[];
}

/** What is found of a cell: it belongs to the text and the name that the cell had in the request. */
export interface CellReport {
  readonly kind: "report";
  readonly id: CellId;
  readonly text: string;
  readonly state: CellState;
  /** Of a cell that waits: the names that have no value. */
  readonly waitingFor: readonly string[];
  readonly problems: readonly PageProblem[];
  readonly tokens: readonly PageToken[];
  readonly inlays: readonly PageInlay[];
  readonly values: readonly ValueReport[];
  readonly milliseconds: number;
}

/** `waiting` is a cell whose inputs have problems, and `empty` one that says nothing. */
export type CellState = "done" | "failed" | "waiting" | "empty" | "cancelled";

/** How far a run is. */
export interface CellProgress {
  readonly kind: "progress";
  readonly id: CellId;
  readonly steps: number;
  readonly done: number;
  readonly operations: number;
}

/** A problem as the page shows it, in offsets of the text of its cell. */
export interface PageProblem {
  readonly code: string;
  readonly severity: "error" | "warning" | "portability" | "hint";
  readonly message: string;
  readonly found: string | undefined;
  readonly expected: string | undefined;
  readonly hint: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly fixes: readonly PageFix[];
}

export interface PageFix {
  readonly title: string;
  readonly edits: readonly PageEdit[];
}

export interface PageEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A coloured word. */
export interface PageToken {
  readonly start: number;
  readonly length: number;
  readonly kind: string;
}

export interface PageInlay {
  readonly offset: number;
  readonly text: string;
}

/** A value of a cell, without most of its cells. */
export interface ValueReport {
  /** Empty for the value of an expression; otherwise the name of a value, or the position of a result. */
  readonly key: string;
  readonly type: string;
  /** How many dimensions it has. */
  readonly rank: number;
  readonly cells: number;
  /** The number of a tensor without dimensions, as text. */
  readonly number: string | undefined;
  /** Whether the cell's text is just this value, so that it need not be shown again. */
  readonly isLiteral: boolean;
  readonly nonFinite: number;
  /** The first part of the table in the default view, or in the view of the document. */
  readonly table: TableWindow | undefined;
}

/** Which value of which cell. */
export interface ValueReference {
  readonly id: CellId;
  readonly key: string;
}

/** Rows and columns from one up to, and without, another. */
export interface TableRequest extends ValueReference {
  readonly view: ResultView;
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

/** A part of a table. A cell that is absent has no text. */
export interface TableWindow {
  /** The view with all that the request left to be chosen. */
  readonly view: Required<Omit<ResultView, "kind">>;
  /** Labels that a slice may have, of the dimensions that are sliced: the first ones, where there are many. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
  readonly rowCount: number;
  readonly columnCount: number;
  readonly rowStart: number;
  readonly columnStart: number;
  /** For each row, and each column, of the part: a label for each dimension. */
  readonly rowLabels: readonly (readonly string[])[];
  readonly columnLabels: readonly (readonly string[])[];
  /** How labels are shown, of those of rows, columns and choices that have hidden characters. */
  readonly escaped: ReadonlyMap<string, string>;
  /** Row by row: texts in a few digits, and the numbers themselves; NaN where there is none. */
  readonly texts: readonly (string | undefined)[];
  readonly numbers: Float64Array;
}

/** How many labels a table tells of a dimension that is sliced. */
export const mostChoices = 1000;

export interface PictureRequest extends ValueReference {
  readonly view: ResultView;
  readonly width: number;
}

export interface PagePicture {
  /** SVG, whose marks say of which cell they are. */
  readonly svg: string;
  /** The labels of the dimensions that are sliced, which the marks do not say. */
  readonly slice: PageAddress;
  /** The same to be read: no character of it is hidden. */
  readonly caption: string;
}

/** An index or a label for each dimension. */
export type PageAddress = Readonly<Record<string, string>>;

export interface WhyRequest extends ValueReference {
  readonly address: PageAddress;
}

export interface WhyReport {
  /** How the cell was made: the first step made it, and contributions refer to others by their positions. */
  readonly steps: readonly PageStep[];
  /** The cells that it came from, by the values of the page that have them. */
  readonly sources: readonly WhySource[];
  /** Whether there were more than are told. */
  readonly isCut: boolean;
}

export interface WhySource extends ValueReference {
  readonly addresses: readonly PageAddress[];
}

export interface PageStep {
  readonly description: string;
  readonly text: string;
  readonly address: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly contributions: readonly PageContribution[];
  readonly others: number;
}

export interface PageContribution {
  readonly role: string;
  readonly address: string;
  readonly value: string;
  readonly step: number | undefined;
}

export interface NotFiniteReport {
  /** In words; empty where all cells are finite. */
  readonly text: string;
  /** The cell of the page that it arises in, and where in its text. */
  readonly id: CellId;
  readonly start: number;
  readonly end: number;
}

/** How one result, or all of a program, comes about; a list of nodes, each before its operands. */
export interface ExplainReport {
  readonly name: string;
  readonly nodes: readonly PageNode[];
  readonly milliseconds: number | undefined;
}

export interface PageNode {
  readonly description: string;
  readonly text: string;
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly cells: number | undefined;
  readonly range: string;
  readonly milliseconds: number | undefined;
  /** How the engine keeps the value: `stored`, `on demand`; undefined where it optimised the expression away. */
  readonly storage: string | undefined;
  readonly from: readonly number[];
}

/** What the other dialect makes of a cell. */
export interface ComparedValue {
  readonly dialect: Dialect;
  readonly isRefused: boolean;
  /** Its type and value, or the problem of what is refused, in words. */
  readonly text: string;
}

/** The text of a cell as the editor has it now. */
export interface TextRequest {
  readonly id: CellId;
  readonly text: string;
}

export interface CursorRequest extends TextRequest {
  readonly offset: number;
}

export interface Completions {
  /** Where the word begins that a candidate replaces. */
  readonly start: number;
  readonly candidates: readonly PageCandidate[];
}

export interface PageCandidate {
  readonly text: string;
  readonly kind: "value" | "function" | "dimension" | "label" | "keyword";
  /** The type of a value, or the arguments of a function. */
  readonly detail: string | undefined;
  readonly description: string | undefined;
}

export interface PageHover {
  readonly start: number;
  readonly end: number;
  /** A line of the language. */
  readonly code: string;
  readonly remarks: readonly string[];
}

export interface PageSignature {
  readonly signature: string;
  readonly parameters: readonly { readonly start: number; readonly end: number }[];
  readonly active: number;
  readonly description: string | undefined;
}

/** Where a name is defined: in a text, or by the name of a cell. */
export interface Definition {
  readonly id: CellId;
  readonly span: { readonly start: number; readonly end: number } | undefined;
}

/** Without an offset it is the name of the cell itself that gets another text. */
export interface RenameRequest {
  readonly id: CellId;
  readonly offset: number | undefined;
  readonly name: string;
}

/** The texts, and names, that cells have afterwards; or why that cannot be. */
export type Renaming =
  | { readonly refused: string }
  | {
      readonly texts: readonly { readonly id: CellId; readonly text: string }[];
      readonly names: readonly { readonly id: CellId; readonly name: string }[];
    };

export interface ConvertRequest {
  readonly to: "cells" | "program";
  readonly cells: readonly DocumentCell[];
}

export interface Converted {
  readonly cells: readonly NewCell[];
  readonly problems: readonly PageProblem[];
}
