/** A label as a text of the language, in which whatever might mean something is a code. */
export const labelLiteral = (label: string): string =>
  `"${label.replace(/[^\w .-]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
