/**
 * The text that bytes are, without the mark that it may begin with.
 * @throws Error whose message is the reason where they are none: no
 * character is put in their place.
 */
export function textOfBytes(bytes: Uint8Array): string {
  return decoded(wholeTexts, bytes);
}

/** A stream may have millions of lines, and a decoder takes longer than most of them. */
const wholeTexts = new TextDecoder("utf-8", { fatal: true });

/** The texts of bytes that come one after the other, of which a character may be in two. @throws Error as `textOfBytes` does. */
export class TextParts {
  private readonly decoder = new TextDecoder("utf-8", { fatal: true });

  next(bytes: Uint8Array): string {
    return decoded(this.decoder, bytes, { stream: true });
  }

  end(): string {
    return decoded(this.decoder, new Uint8Array());
  }
}

function decoded(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array,
  options: { readonly stream?: boolean } = {},
): string {
  try {
    return decoder.decode(bytes, options);
  } catch {
    const [first = 0, second = 0] = bytes;
    const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
    throw new Error(`it is not text in UTF-8${isWide ? ", but in UTF-16: save it as UTF-8" : ""}`);
  }
}
