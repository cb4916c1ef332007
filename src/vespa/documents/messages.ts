import { shapeMessage } from "../../formats/json/messages.js";
import { error, quoted, warning } from "../../language/source/message.js";
import { type Phrase, phrases } from "../../language/source/phrase.js";
import { problemsOf } from "../../language/source/problem.js";

const expectedParts = {
  document: 'a document: {"put":"id:…","fields":{…}}',
  id: "a document id, as text",
  fields: "an object of fields",
  update: 'an update of the field, such as {"assign":…}',
  operation: ({ operations }: { operations: readonly string[] }) => `one of ${operations.join(", ")}`,
  query: "an object with the parameters of a query",
  response: 'an object with hits: {"root":{"children":[…]}}',
  hits: "an array of hits",
  hit: "a hit: an object",
  features: "an object of features",
  relevance: "a number",
};

/** What a place in a document, a query or a response should have. */
export type ExpectedInDocument = Phrase<typeof expectedParts>;

/** What can be wrong with documents, queries and responses. */
export const documentMessages = {
  "json/shape": shapeMessage(phrases(expectedParts)),
  "feed/no-document": warning(({ id }: { id: string }) => ({
    message: `there is no document ${quoted(id)} to update: nothing is changed`,
    found: "an update before a put",
    expected: "a document that is put before, or create: true",
  })),
  "feed/condition": error(({ condition }: { condition: string }) => ({
    message: "an operation with a condition is left out: whether the condition holds is not computed here",
    found: condition,
    expected: "an operation without a condition",
    hint: "feed only what comes about, without the condition",
  })),
  "feed/operation": error(({ operation, part }: { operation: string; part: string | undefined }) => ({
    message: `the result of ${operation} on ${part === undefined ? "a field" : `a part of a field, ${quoted(part)},`} is not computed here`,
    found: operation,
    expected:
      part === undefined
        ? "assign, arithmetic with a number, or a change that a value of this type takes"
        : "a part that a value of this type has, or an update of the whole field",
    hint: "put the document as it is after the update",
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "vespa/documents": typeof documentMessages;
  }
}

export const problem = problemsOf<"vespa/documents">(documentMessages);
