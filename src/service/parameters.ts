/** The parts between commas in the outermost brackets of a signature. */
export function parametersOf(signature: string): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  let [depth, start] = [0, -1];
  for (const { 0: sign, index: at } of signature.matchAll(/[([{)\]},]/g)) {
    if ("([{".includes(sign) && depth++ === 0) start = at + 1;
    const closes = ")]}".includes(sign) && --depth === 0;
    if (start < 0 || !(closes || (sign === "," && depth === 1))) continue;
    const text = signature.slice(start, at);
    if (text.trim() !== "") {
      const from = start + (text.length - text.trimStart().length);
      found.push({ start: from, end: from + text.trim().length });
    }
    start = at + 1;
    if (closes) break;
  }
  return found;
}
