import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import type { PageCandidate } from "../protocol.js";
import type { EditorServices } from "./services.js";

/** Completion by what the worker knows of names, dimensions and labels. */
export function completionExtension(services: EditorServices): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc.toString();
    const before = text.slice(Math.max(0, context.pos - longestWord), context.pos);
    // Without a word, only where the text asks for one, or the reader does.
    if (!context.explicit && !/[A-Za-z_@$][\w@$]*$|[(,{:]\s?$/.test(before)) return null;
    const { start, candidates } = await services.complete(text, context.pos);
    const isWord = start < context.pos;
    if (candidates.length === 0 || (!isWord && !context.explicit && candidates.length > most)) return null;
    return { from: start, options: candidates.map(completionOf), validFor: /^[\w@$]*$/ };
  };
  return [
    autocompletion({ override: [source], icons: false, maxRenderedOptions: 60, aboveCursor: false }),
    closeBrackets(),
  ];
}

/** As much of the text before the cursor is looked at: names are shorter. */
const longestWord = 80;

/** So many candidates are offered although nothing of a word has been written. */
const most = 30;

/** How candidates of a kind stand before others. */
const boosts = { label: 4, value: 3, dimension: 2, function: 1, keyword: 0 } as const;

function completionOf({ text, kind, detail, description }: PageCandidate): Completion {
  const isCall = text.endsWith("(");
  return {
    label: text,
    type: kind,
    boost: boosts[kind],
    ...(detail !== undefined && { detail: shortDetail(text, detail) }),
    ...(description !== undefined && { info: description }),
    ...(isCall && { displayLabel: text.slice(0, -1) }),
  };
}

/** The arguments of a function without its name, which is told already. */
const shortDetail = (text: string, detail: string): string =>
  detail.startsWith(text) ? detail.slice(text.length - 1) : detail;
