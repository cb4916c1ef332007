/**
 * The JSON values of a stream, each as its text, whatever lies between them: a value may go over several lines, and a line
 * may have several. Whether a text is JSON is for the reader of it to find out.
 */
export async function* jsonTexts(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  let state: State = { depth: 0, within: "nothing" };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const next = after(state, chunk.charAt(at));
      // A word ends before what follows it, anything else with its last character.
      const isOver = state.within !== "nothing" && next.within === "nothing";
      if (isOver) {
        const end = state.within === "word" ? at : at + 1;
        yield [...begun, chunk.slice(start, end)].join("");
        [begun, start] = [[], end];
        state = next;
        if (end === at) state = after(state, chunk.charAt(at));
      } else {
        if (state.within === "nothing" && next.within === "nothing") start = at + 1;
        state = next;
      }
    }
    begun.push(chunk.slice(start));
  }
  const rest = begun.join("").trim();
  if (rest !== "") yield rest;
}

interface State {
  /** How many brackets are open. */
  readonly depth: number;
  readonly within: "nothing" | "brackets" | "text" | "escape" | "word";
}

const nothing: State = { depth: 0, within: "nothing" };

/** The state behind a character; a word is over when something else comes. */
function after({ depth, within }: State, character: string): State {
  const outside: State = depth > 0 ? { depth, within: "brackets" } : nothing;
  if (within === "escape") return { depth, within: "text" };
  if (within === "text") {
    if (character === "\\") return { depth, within: "escape" };
    return character === '"' ? outside : { depth, within };
  }
  const isWord = within === "word";
  if (isWord && /[\s[\]{}",]/.test(character)) return nothing;
  if (character === '"') return { depth, within: "text" };
  if (character === "{" || character === "[") return { depth: depth + 1, within: "brackets" };
  // A bracket that closes nothing is a word, and no JSON.
  if ((character === "}" || character === "]") && depth > 0)
    return depth > 1 ? { depth: depth - 1, within } : nothing;
  if (depth > 0 || /\s/.test(character)) return { depth, within };
  return { depth, within: "word" };
}
