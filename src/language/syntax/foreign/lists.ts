import { lexemesOf, outermost } from "./lexemes.js";
import type { Captures } from "./template.js";

/** The texts between signs that stand in no bracket: commas, or semicolons. */
export function separatedBy(text: string, sign: "," | ";"): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const lexeme of outermost(text)) {
    if (lexeme.text !== sign) continue;
    parts.push(text.slice(start, lexeme.start).trim());
    start = lexeme.end;
  }
  return [...parts, text.slice(start).trim()];
}

/** The texts between the commas of a bracketed list: `[[1, 2], 3]` has two. */
export const itemsOf = (list: string): string[] => separatedBy(list.slice(1, -1), ",");

/** How many items a list has, and each list in it; undefined where lists in it differ, or hold something other than values. */
function sizesOf(list: string): readonly number[] | undefined {
  const items = itemsOf(list);
  if (items.some((item) => /^(?:["'{]|$)/.test(item))) return undefined;
  const nested = items.map((item) => (item.startsWith("[") ? sizesOf(item) : []));
  const [first] = nested;
  const isEven = nested.every((each) => each !== undefined && `${each}` === `${first}`);
  return first === undefined || !isEven ? undefined : [items.length, ...first];
}

/** The names of dimensions that nobody named. */
const dimensionNames = ["x", "y", "z", "u", "v", "w"];

/** A list as a tensor: `[1, 2]` is `tensor(x[2]):[1, 2]`. The first dimension has the name that comes next in a call. */
export function tensorOf(list: string, behind: string): string | undefined {
  const sizes = sizesOf(list);
  if (sizes === undefined || sizes.length > dimensionNames.length) return undefined;
  const argument = /^\s{0,9},\s{0,9}([A-Za-z_]\w{0,40})\s{0,9}[,)]/.exec(behind)?.[1];
  const names = [...new Set([...(argument === undefined ? [] : [argument]), ...dimensionNames])];
  return `tensor(${sizes.map((size, at) => `${names[at]}[${size}]`).join(",")}):${list}`;
}

/** `1, 2; 3, 4`, rows of numbers as MATLAB writes them, as a list of lists. */
export function rowsIn(list: string): string | undefined {
  const rows = list
    .split(";")
    .map((row) => itemsOf(`[${row.includes(",") ? row : row.trim().replaceAll(/\s+/g, ",")}]`));
  const isEven = rows.every((row) => row.length === rows[0]?.length);
  const areNumbers = rows.flat().every((each) => each !== "" && !Number.isNaN(Number(each)));
  return rows.length > 1 && isEven && areNumbers
    ? `[${rows.map((row) => `[${row.join(", ")}]`).join(", ")}]`
    : undefined;
}

/** The first name of a dimension that no word of a text is. */
export const freeDimension = (text: string, names: readonly string[] = dimensionNames): string | undefined =>
  names.find((name) => !lexemesOf(text).some((each) => each.text === name));

/** A type whose dimensions have no sizes, with those of the list of its cells. */
export function sizedBy(type: string, list: string): string | undefined {
  const sizes = sizesOf(list);
  const [, head, names = ""] = /^(tensor(?:<\w+>)?)\s*\(([\w\s,]*)\)$/.exec(type) ?? [];
  const dimensions = names.split(",").map((each) => each.trim());
  if (head === undefined || sizes?.length !== dimensions.length) return undefined;
  return `${head}(${dimensions.map((name, at) => `${name}[${sizes[at]}]`).join(",")}):${list}`;
}

/** A type whose dimensions have no kinds, with mapped ones. */
export function mappedType(type: string): string | undefined {
  const [, head, names = ""] = /^(tensor(?:<\w+>)?)\s*\(([\w\s,]+)\)$/.exec(type) ?? [];
  if (head === undefined) return undefined;
  return `${head}(${names
    .split(",")
    .map((each) => `${each.trim()}{}`)
    .join(",")})`;
}

/** Cells in braces behind a type of the dimensions that the first address names. */
export const addressed = ({ S = "" }: Captures): string | undefined => {
  // A set of names, as in Python, has no numbers.
  if (/[A-Za-z_]/.test(S) && !/[^\w\s,]/.test(S)) return undefined;
  const names = /^\s*\{([^{}]*)\}/
    .exec(S)?.[1]
    ?.split(",")
    .map((each) => each.split(":")[0]?.trim());
  return `tensor(${(names ?? ["x"]).map((name) => `${name}{}`).join(",")}):{${S}}`;
};

/** `{a:x, b:y}: [1, 2]` with its labels one below the other, as `x:{y:[1, 2]}`. */
export const nested = ({ S = "", L = "" }: Captures): string | undefined => {
  const labels = S.split(",").map((each) => each.slice(each.indexOf(":") + 1).trim());
  return labels.includes("")
    ? undefined
    : labels.reduceRight(
        (block, label, at) => `${label}:${at === labels.length - 1 ? block : `{${block}}`}`,
        L,
      );
};
