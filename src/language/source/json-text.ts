/**
 * A value as `JSON.stringify` writes it, but with -0.0 for the zero that has a sign, which JSON has and JavaScript writes as 0;
 * undefined where it writes nothing.
 */
export function jsonText(
  value: unknown,
  replacer: (key: string, value: unknown) => unknown = (_, each) => each,
): string | undefined {
  let isThere = false;
  const text: string | undefined = JSON.stringify(value, (key, each: unknown) => {
    const written = replacer(key, each);
    isThere ||= Object.is(written, -0);
    return written;
  });
  if (!isThere || text === undefined) return text;
  let mark = "-0";
  while (text.includes(mark)) mark += "0";
  const marked = JSON.stringify(value, (key, each: unknown) => {
    const written = replacer(key, each);
    return Object.is(written, -0) ? mark : written;
  });
  return marked.replaceAll(`"${mark}"`, "-0.0");
}
