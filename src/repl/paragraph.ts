/** A text in lines of so many columns, broken at spaces; all lines but the first are indented. */
export function filled(text: string, width: number, indent = 0): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(word);
    else if (last.length + 1 + word.length > width) lines.push(" ".repeat(indent) + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
