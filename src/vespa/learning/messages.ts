import { didYouMean, error, quoted } from "../../language/source/message.js";
import { problemsOf } from "../../language/source/problem.js";

const expectedRows = {
  row: "a query_id, a doc_id, a relevance_label and features",
  response: 'an id beside the root of the response: {"id":"q1","root":{…}}',
  label: "a relevance_label, or --judgments with the query",
};

const parameterFaults = {
  unknown: { found: "no such name", expected: "an input or a constant that the phase uses" },
  "no number": {
    found: "no initial number",
    expected: "a default in the schema, or a field of the query profile",
  },
  property: {
    found: "a value in rank-properties, which counts more than a default",
    expected: "a default in the schema, or a field of the query profile",
  },
  sparse: { found: "a tensor with labels", expected: "a number, or a tensor without labels" },
  whole: { found: "whole numbers", expected: "double, float or bfloat16" },
  shared: { found: "a file that also has the numbers of another constant", expected: "a file of its own" },
  form: { found: "a value in another form", expected: "numbers in brackets, or a file of JSON" },
};

export type ParameterFault = keyof typeof parameterFaults;

interface FaultyParameter {
  readonly name: string;
  readonly fault: ParameterFault;
  readonly nearest: string | undefined;
}

/** What can be wrong where rank profiles learn. */
export const learningMessages = {
  "learning/row": error(({ expected }: { expected: keyof typeof expectedRows }) => ({
    message: "this labelled document cannot be read",
    expected: expectedRows[expected],
  })),
  "learning/feature": error(({ name, document }: { name: string; document: string }) => ({
    message: `${document} lacks the feature ${name}, which the phase needs`,
    found: "no value, or NaN",
    expected: `${name} in each row`,
    hint: "list it among the match-features of the profile that features are collected with",
  })),
  "learning/lists": error(({ queries }: { queries: number }) => ({
    message: "no query has documents of different relevance: there is nothing to learn from",
    found: `${queries} queries`,
    expected: "for some query one document that is more relevant than another",
  })),
  "learning/labels": error(
    ({ document, query, labels }: { document: string; query: string; labels: readonly number[] }) => ({
      message: `the document ${document} of the query ${query} has two labels`,
      found: labels.join(" and "),
      expected: "one label for each document of a query",
    }),
  ),
  "learning/parameter": error(({ name, fault, nearest }: FaultyParameter) => ({
    message: `${name} cannot be learnt`,
    ...parameterFaults[fault],
    hint: didYouMean(nearest),
  })),
  "learning/no-parameter": error(({ phase }: { phase: string }) => ({
    message: `${phase} has no number that could be learnt`,
    found: "no input with a default, and no constant with a value",
    expected: "inputs { query(weight) double: 1.0 }, or constants, which the expression uses",
  })),
  "learning/phase": error(({ phase, phases }: { phase: string | undefined; phases: readonly string[] }) => ({
    message: phase === undefined ? "no phase of the profile can learn" : `${phase} cannot learn`,
    found: phases.length === 0 ? "no phase with an expression of its own" : quoted(phases.join(", ")),
    expected: "a phase whose score depends on one document at a time",
  })),
  "learning/query-profile": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    message: `there is no query profile ${name}`,
    found: quoted(name),
    expected: "the id of a query profile of the package",
    hint: didYouMean(nearest),
  })),
  "learning/not-finite": error(({ epoch, loss }: { epoch: number; loss: number }) => ({
    message: `in epoch ${epoch} the loss is not a finite number`,
    found: `${loss}`,
    expected: "finite numbers",
    hint: "features that are infinite or NaN cause this, and sometimes a rate that is too high",
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "vespa/learning": typeof learningMessages;
  }
}

export const problem = problemsOf<"vespa/learning">(learningMessages);
