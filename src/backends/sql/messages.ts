import { limitMessages } from "../../language/limits/messages.js";
import { error } from "../../language/source/message.js";
import { problemsOf } from "../../language/source/problem.js";
import type { TensorType } from "../../language/types/type.js";

/** What can be in a program and cannot be computed by a statement of SQL. */
export const sqlMessages = {
  "sql/unsupported": error(({ what }: { what: string }) => ({
    message: "this cannot be computed by a database",
    found: what,
    expected: "an operation that has a translation to SQL",
    hint: "compute it here, and give it to the program as an input",
  })),
  "sql/label": error(({ dialect, label }: { dialect: string; label: string }) => ({
    message: `${dialect} cannot hold this label`,
    found: label,
    expected: "a label whose characters its texts can hold",
  })),
  "sql/null": error(({ type }: { type: TensorType }) => ({
    message: "the database has no number for a cell",
    found: "NULL",
    expected: `a number for each cell of ${type}`,
    hint: "settings of the database can make its arithmetic answer NULL",
  })),
  "sql/unbound-input": error(({ name, type }: { name: string; type: TensorType }) => ({
    message: `nothing is bound to the input ${name}`,
    found: `an input of ${type}`,
    expected: "a table, a file or a tensor for it",
    hint: `bind it: --table '${name}=FILE(DIMENSION=COLUMN,value=COLUMN)', or --set '${name}=LITERAL'`,
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "backends/sql": typeof sqlMessages;
  }
}

export const problem = problemsOf<"language/limits" | "backends/sql">({ ...limitMessages, ...sqlMessages });
