/** The text of what a function of the host has thrown, which may be anything. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "what it threw has no text";
  }
}
