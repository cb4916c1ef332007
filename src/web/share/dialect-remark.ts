import type { Dialect } from "../../index.js";

/** The dialect of a program in a file, which its text does not tell: a remark does, to the page and to who runs it elsewhere. */
const remark = "# In dialect vespa: sphex run --dialect vespa";

export const withDialect = (text: string, dialect: Dialect): string =>
  dialect === "vespa" ? `${remark}\n${text}` : text;

/** A text without the remark, and its dialect. */
export function dialectIn(text: string): { readonly text: string; readonly dialect: Dialect } {
  const line = ["\n", "\r\n"].map((end) => remark + end).find((each) => text.startsWith(each));
  return line === undefined
    ? { text, dialect: "formalism" }
    : { text: text.slice(line.length), dialect: "vespa" };
}
