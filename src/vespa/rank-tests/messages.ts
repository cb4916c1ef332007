import { shapeMessage } from "../../formats/json/messages.js";
import { limitMessages } from "../../language/limits/messages.js";
import { counted, didYouMean, error, type NoValues, quoted } from "../../language/source/message.js";
import { type Phrase, phrases } from "../../language/source/phrase.js";
import { problemsOf } from "../../language/source/problem.js";

const expectedParts = {
  text: "a text",
  number: "a number",
  names: "a list of names",
  members: ({ keys }: { keys: readonly string[] }) => `an object with some of ${keys.join(", ")}`,
  cases: "a list of cases",
  row: ({ count }: { count: number }) => `${counted(count, "value")}, one for each column`,
  expectations: "names and the values expected of them",
  features: "names of features and their values, or the path of a file",
  neighbour: "a field and the input that it is compared with: { field: f, query: q }",
  query: "a query: names and values, or the path of a file",
  documents: "a list of documents, or the path of a feed",
  document: "the fields of a document",
};

/** What a place in a file of rank tests should have. */
export type ExpectedInTest = Phrase<typeof expectedParts>;

/** What can be wrong with the tests of rank profiles, and with the files that they are in. */
export const rankTestMessages = {
  "json/shape": shapeMessage(phrases(expectedParts)),
  "test/key": error((values: { key: string; keys: readonly string[]; nearest: string | undefined }) => ({
    message: `nothing here is called ${values.key}`,
    found: quoted(values.key),
    expected: values.keys.join(", "),
    hint: didYouMean(values.nearest),
  })),
  "test/expected": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    message: `the rank profile has no ${name} whose value could be expected`,
    found: quoted(name),
    expected: "score, a phase, a function or a feature of the profile, or ranking",
    hint: didYouMean(nearest),
  })),
  "test/nothing": error((_: NoValues) => ({
    message: "this test expects nothing",
    found: "no expect",
    expected: "expect: { score: … }",
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "vespa/rank-tests": typeof rankTestMessages;
  }
}

export const problem = problemsOf<"language/limits" | "vespa/rank-tests">({
  ...limitMessages,
  ...rankTestMessages,
});
