/** The command was called wrongly: reported in one line, without a trace. */
export class UsageError extends Error {}
