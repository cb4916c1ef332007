/**
 * The colours of texts at a terminal. They are of the 256 that are the same at every terminal, unlike the first 16, which
 * each theme chooses: these can be read on a light ground and on a dark one.
 */
export const palette = {
  red: 160,
  brown: 136,
  teal: 31,
  blue: 68,
  green: 28,
  violet: 133,
  grey: 243,
} as const;

export type Ink = keyof typeof palette;

/** A text in a colour, by the escapes of a terminal. */
export function inked(ink: Ink, text: string, isBold = false): string {
  return `${isBold ? "\x1b[1m" : ""}\x1b[38;5;${palette[ink]}m${text}\x1b[0m`;
}
