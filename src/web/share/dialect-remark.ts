import type { Dialect } from "../../index.js";

/** The dialect of a program in a file, which its text does not tell: a remark does, to the page and to who runs it elsewhere. */
const remark = "# In dialect vespa: sphex run --dialect vespa\n";

export const withDialect = (text: string, dialect: Dialect): string =>
  dialect === "vespa" ? remark + text : text;

/** A text without the remark, and its dialect. */
export const dialectIn = (text: string): { readonly text: string; readonly dialect: Dialect } =>
  text.startsWith(remark)
    ? { text: text.slice(remark.length), dialect: "vespa" }
    : { text, dialect: "formalism" };
