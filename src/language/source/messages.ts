import { applicationMessages } from "./messages/application.js";
import { formatMessages } from "./messages/formats.js";
import { nameMessages } from "./messages/names.js";
import { neighbourMessages } from "./messages/neighbours.js";
import { pictureMessages } from "./messages/pictures.js";
import { rankingMessages } from "./messages/ranking.js";
import type { Row, Severity, Words } from "./messages/row.js";
import { syntaxMessages } from "./messages/syntax.js";
import { typeMessages } from "./messages/types.js";
import { valueMessages } from "./messages/values.js";

/**
 * Every message that the language can give, by code. A call site gives the code and the values that its row asks for,
 * and can misspell neither.
 */
export const messages = {
  ...syntaxMessages,
  ...nameMessages,
  ...typeMessages,
  ...valueMessages,
  ...formatMessages,
  ...pictureMessages,
  ...rankingMessages,
  ...applicationMessages,
  ...neighbourMessages,
};

export type Code = keyof typeof messages;

/** The values that the message of a code speaks of. */
export type Values<C extends Code = Code> = Parameters<(typeof messages)[C]["words"]>[0];

export type { Severity, Words };

export function severityOf(code: Code): Severity {
  return messages[code].severity;
}

/** The words of a problem. */
export function describe(code: Code, values: Values): Words {
  // The values were checked against the code where the problem was made.
  return (messages[code] as Row<Values>).words(values);
}
