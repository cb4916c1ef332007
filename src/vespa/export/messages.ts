import { error } from "../../language/source/message.js";
import { problemsOf } from "../../language/source/problem.js";
import type { TensorType } from "../../language/types/type.js";

/** What can be in a program that no rank profile of Vespa has. */
export const exportMessages = {
  "export/input": error(({ name, type }: { name: string; type: TensorType }) => ({
    message: `a rank profile has no input ${name}`,
    found: `an input of ${type}`,
    expected: "inputs called query(NAME), which a request has, or attribute(NAME), which a document has",
    hint: `declare it as query(${name}) or attribute(${name})`,
  })),
  "export/unbound": error(({ name, type }: { name: string; type: TensorType }) => ({
    message: `the input ${name} has a dimension without a size`,
    found: `an input of ${type}`,
    expected: "a size for each indexed dimension: Vespa's fields and inputs have them",
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "vespa/export": typeof exportMessages;
  }
}

export const problem = problemsOf<"vespa/export">(exportMessages);
