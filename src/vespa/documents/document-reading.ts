import { JsonReading } from "../../formats/json/reading.js";
import { type ExpectedInDocument, problem } from "./messages.js";

/** A reading of the JSON of a document, a query or a response. */
export class DocumentReading extends JsonReading<ExpectedInDocument> {
  constructor() {
    super((span, values) => problem("json/shape", span, values));
  }
}
