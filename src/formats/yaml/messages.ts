import { limitMessages } from "../../language/limits/messages.js";
import { error, type NoValues } from "../../language/source/message.js";
import { problemsOf } from "../../language/source/problem.js";

/** What can be wrong with a text as YAML. */
export const yamlMessages = {
  /** In the words of the library that reads YAML. */
  "yaml/syntax": error(({ reason }: { reason: string }) => ({
    message: `this is not YAML: ${reason}`,
    found: reason,
    expected: "YAML",
  })),
  "yaml/key": error(({ kind }: { kind: "list" | "map" }) => ({
    message: `a key cannot be a ${kind}`,
    found: `a ${kind}`,
    expected: "a text or a number",
  })),
  "yaml/aliases": error((_: NoValues) => ({
    message: "the aliases of this text stand for more than is allowed",
    found: "aliases of aliases",
    expected: "values written out",
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "formats/yaml": typeof yamlMessages;
  }
}

export const problem = problemsOf<"language/limits" | "formats/yaml">({ ...limitMessages, ...yamlMessages });
