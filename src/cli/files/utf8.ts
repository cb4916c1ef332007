/** The text that bytes are. Throws an error whose message is the reason where they are none: no character is put in their place. */
export function textOfBytes(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isWide) throw new Error("it is not text in UTF-8, but in UTF-16: save it as UTF-8");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it is not text in UTF-8");
  }
}
