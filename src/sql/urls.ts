/** A URL without who connects, and with what: it is shown. */
export function publicName(url: string): string {
  const [scheme = "", rest = ""] = url.split("://");
  try {
    const { host, pathname } = new URL(`http://${rest}`);
    return `${scheme}://${host}${pathname === "/" ? "" : pathname}`;
  } catch {
    return scheme;
  }
}

/** The passwords in a URL, as they are written and as they are meant. */
export function secretsOf(url: string): readonly string[] {
  const [, rest = ""] = url.split("://");
  try {
    const { password, searchParams } = new URL(`http://${rest}`);
    const written = [password, searchParams.get("password") ?? ""];
    return [...new Set([...written, ...written.map(decodeURIComponent)])].filter((each) => each !== "");
  } catch {
    return [];
  }
}

/** What Node calls errors of a network. */
const networkErrors = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_SOCKET",
];

export const isNetworkError = (error: unknown): boolean =>
  error instanceof Error && "code" in error && networkErrors.includes(`${error.code}`);
