import { leadingWhole } from "../document/leading-whole.js";

/**
 * Vectors in the texts of rank properties, as Vespa's engine reads them: `{x:2,y:4}`, `[2 4]` for the indexes from 0, and
 * parentheses for braces. In brackets only spaces divide: a comma is a part of a text, and ends a list of numbers.
 */

/** What stands between brackets; nothing of a text without. */
const bracketed = (text: string): string | undefined => /^\[(.*)\]$/s.exec(text)?.[1];

/** What commas divide between braces or parentheses. */
function bracedItems(text: string): readonly string[] {
  const [, inBraces, inParentheses] = /^(?:\{(.*)\}|\((.*)\))$/s.exec(text) ?? [];
  return (inBraces ?? inParentheses ?? "").split(",");
}

/** The keys and the texts of their weights, in braces; items without a colon are none. */
export function weightedItems(text: string): readonly (readonly [string, string])[] {
  const items = bracedItems(text).filter((each) => each.includes(":"));
  return items.map((each) => {
    const [key = ""] = each.split(":", 1);
    return [key.replace(/^ +/, ""), each.slice(key.length + 1)];
  });
}

/** The texts of a list, `[a b]` or `{0:a,1:b}`. */
export function listedTexts(text: string): readonly string[] {
  const list = bracketed(text);
  if (list !== undefined) return list === "" ? [] : list.trimStart().split(/\s+/);
  return [...indexed(text, (each) => each.trim() || undefined).values()];
}

/** The numbers of a list by their indexes, up to the first that is none; whole ones for an array of these. */
export function listedNumbers(text: string, areWhole: boolean): ReadonlyMap<number, number> {
  const number = areWhole ? /\s*([+-]?\d+)/y : /\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/iy;
  const list = bracketed(text);
  if (list === undefined)
    return indexed(text, (each) => {
      number.lastIndex = 0;
      const found = number.exec(each);
      return found?.[0].length === each.length ? numberIn(found) : undefined;
    });
  const found = new Map<number, number>();
  for (let next = number.exec(list); next !== null; next = number.exec(list))
    found.set(found.size, numberIn(next) ?? 0);
  return found;
}

const numberIn = (found: RegExpExecArray | null): number | undefined =>
  found === null ? undefined : Number(found[1]);

/** `{0:a,2:c}`, up to the first item that is not so. */
function indexed<Item>(text: string, read: (item: string) => Item | undefined): Map<number, Item> {
  const found = new Map<number, Item>();
  for (const each of bracedItems(text)) {
    const [, index, item] = /^\s*(\d+)\s*:(.*)$/s.exec(each) ?? [];
    const value = item === undefined ? undefined : read(item);
    if (index === undefined || value === undefined) break;
    found.set(Number(index), value);
  }
  return found;
}

/** The whole number that a weight begins with. */
export const wholeWeight = (text: string): number => Number(leadingWhole(text, 32));
