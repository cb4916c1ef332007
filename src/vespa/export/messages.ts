import { error } from "../../language/source/message.js";
import { problemsOf } from "../../language/source/problem.js";
import type { TensorType } from "../../language/types/type.js";

/** Why a schema cannot have a default. */
const defaultFaults = {
  attribute: "a default of a field, whose value comes only from documents",
  varying: "one that depends on other inputs, or on chance",
  exponent: "a number with an exponent, which Vespa does not read there",
  "not finite": "a cell that is NaN or infinite, which Vespa does not read there",
} as const;

export type DefaultFault = keyof typeof defaultFaults;

/** What can be in a program and cannot be in a rank profile of Vespa. */
export const exportMessages = {
  "export/input": error(({ name, type }: { name: string; type: TensorType }) => ({
    message: `a rank profile cannot have the input ${name}`,
    found: `an input of ${type}`,
    expected: "inputs called query(NAME), which a request has, or attribute(NAME), which a document has",
    hint: `declare it as query(${name}) or attribute(${name})`,
  })),
  "export/default": error(({ name, fault }: { name: string; fault: DefaultFault }) => ({
    message: `a schema cannot have the default of ${name}`,
    found: defaultFaults[fault],
    expected: "no default, or one of an input query(NAME) that is the same in all runs",
    hint: "leave the default out, and let requests or documents provide the value",
  })),
  "export/state": error(({ name, role }: { name: string; role: "variable" | "persistent" }) => ({
    message: `a rank profile cannot have the ${role} ${name}`,
    found: "a tensor that changes between runs",
    expected: "inputs, constants and what is computed of them",
    hint: `declare ${name} as a constant, with the value that it shall have`,
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
