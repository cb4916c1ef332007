/** The text of what was thrown, which may be anything where a function of the host or a library threw it. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "what it threw has no text";
  }
}
