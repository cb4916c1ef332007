/** A label as a text of the language, in which whatever might mean something is a code. */
export const labelLiteral = (label: string): string =>
  `"${label.replace(/[^\w .-]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;

const bare = /^[-_@A-Za-z0-9][_@$A-Za-z0-9]*$/;

/** A label as one writes it: in quotes where it needs them. */
export const writtenLabel = (label: string): string => (bare.test(label) ? label : labelLiteral(label));
