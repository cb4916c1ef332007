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
    const { password, search, searchParams } = new URL(`http://${rest}`);
    const [, parameter = ""] = passwordParameter.exec(search) ?? [];
    const secrets = [password, decoded(password), parameter, searchParams.get("password") ?? ""];
    return [...new Set(secrets)].filter((each) => each !== "");
  } catch {
    return [];
  }
}

const passwordParameter = /[?&]password=([^&]*)/;

/** What a part of a URL means; where a percent sign in it begins no code, it is what is written. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
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
