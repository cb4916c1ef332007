import type { PageDocument } from "./document/page-document.js";
import type { Answer } from "./learn/exercise.js";
import type { ProfileReport, ProfileRequest } from "./profile/profile-request.js";
import type { ExportedFile, ExportRequest } from "./share/export-request.js";
import type { DroppedFile, Imported } from "./share/import-request.js";
import type { Links } from "./share/link.js";

/** What the panels ask of the worker: rows of the protocol. */
export interface PanelProtocol {
  /** The links to a document, to open at an address. */
  readonly links: PanelExchange<{ readonly document: PageDocument; readonly base: string }, Links>;
  /** The document in a link. */
  readonly openLink: PanelExchange<{ readonly link: string }, PageDocument>;
  /** The values that there are on the page. */
  readonly values: PanelExchange<undefined, readonly SharedValue[]>;
  /** A document, or one of its values, as a file. */
  readonly exportFile: PanelExchange<ExportRequest, ExportedFile>;
  /** What files become. */
  readonly importFiles: PanelExchange<{ readonly files: readonly DroppedFile[] }, Imported>;
  /** Whether what was written answers an exercise, and what is to be said about it. */
  readonly answer: PanelExchange<{ readonly exercise: string; readonly answer: Answer }, AnswerReport>;
  /** What a rank profile makes of documents and a query. */
  readonly profile: PanelExchange<ProfileRequest, ProfileReport>;
}

interface PanelExchange<Request, Response> {
  readonly request: Request;
  readonly response: Response;
  readonly note: never;
}

/** A value that can be saved. */
export interface SharedValue {
  readonly id: number;
  readonly key: string;
  readonly type: string;
}

export interface AnswerReport {
  readonly isRight: boolean;
  readonly text: string;
}
