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
