import { error } from "../../language/source/message.js";
import { problemsOf } from "../../language/source/problem.js";

/** What can be wrong with what is asked about a run. */
export const inspectMessages = {
  "value/shape": error(({ text }: { text: string }) => ({
    message: "this does not fit an address",
    found: text,
    expected: "a label for each dimension, as in x:0,k:'a label'",
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "inspect/provenance": typeof inspectMessages;
  }
}

export const problem = problemsOf<"inspect/provenance">(inspectMessages);
