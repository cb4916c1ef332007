import { setDiagnostics } from "@codemirror/lint";
import {
  type EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  type StateEffectType,
  StateField,
  type TransactionSpec,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { diagnosticOf } from "./diagnostics.js";
import type { EditorFindings } from "./services.js";

/** Colours of words, as the language has them. */
const setTokens = StateEffect.define<EditorFindings["tokens"]>();

/** Decorations that an effect brings, which move with the text until the next one, for a facet that takes such. */
const decorations = <T>(
  type: StateEffectType<T>,
  draw: (value: T) => DecorationSet,
  facet: typeof EditorView.decorations = EditorView.decorations,
) =>
  StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(shown, transaction) {
      const effect = transaction.effects.find((each) => each.is(type));
      return effect === undefined ? shown.map(transaction.changes) : draw(effect.value);
    },
    provide: (field) => facet.from(field),
  });

const marks = new Map<string, Decoration>();

function markOf(kind: string): Decoration {
  const mark = marks.get(kind) ?? Decoration.mark({ class: `token-${kind}` });
  marks.set(kind, mark);
  return mark;
}

function coloured(all: EditorFindings["tokens"]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { start, length, kind } of all) builder.add(start, start + length, markOf(kind));
  return builder.finish();
}

/** Texts that run from right to left, and what stands around them, lie beside each other and do not mix. */
function isolated(all: EditorFindings["tokens"]): DecorationSet {
  return coloured(all.filter(({ kind }) => kind === "text"));
}

/** Types behind names that do not say theirs. */
const setInlays = StateEffect.define<EditorFindings["inlays"]>();

class InlayWidget extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }

  override eq(other: InlayWidget): boolean {
    return this.text === other.text;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "inlay";
    element.textContent = this.text;
    return element;
  }
}

const typed = (all: EditorFindings["inlays"]): DecorationSet =>
  Decoration.set(
    all.map(({ offset, text }) =>
      Decoration.widget({ widget: new InlayWidget(text), side: 1 }).range(offset),
    ),
    true,
  );

export const findingsExtension: Extension = [
  decorations(setTokens, coloured),
  decorations(setTokens, isolated, EditorView.bidiIsolatedRanges),
  decorations(setInlays, typed),
];

/** What shows all that was found of the text as it is. */
export function setFindings(
  state: EditorState,
  { text, tokens, problems, inlays }: EditorFindings,
): TransactionSpec {
  const diagnostics = problems.map((each) => diagnosticOf(text, each));
  const { effects } = setDiagnostics(state, diagnostics);
  return { effects: [setTokens.of(tokens), setInlays.of(inlays), ...[effects ?? []].flat()] };
}

/** Whether nothing would look different. */
export function isSameFindings(one: EditorFindings, other: EditorFindings): boolean {
  const { tokens, problems, inlays } = other;
  return (
    one === other ||
    (isSame(
      one.tokens,
      tokens,
      (a, b) => a.start === b.start && a.length === b.length && a.kind === b.kind,
    ) &&
      isSame(one.inlays, inlays, (a, b) => a.offset === b.offset && a.text === b.text) &&
      isSame(one.problems, problems, (a, b) => JSON.stringify(a) === JSON.stringify(b)))
  );
}

const isSame = <T>(one: readonly T[], other: readonly T[], isEqual: (a: T, b: T) => boolean): boolean =>
  one.length === other.length &&
  one.every((each, at) => {
    const against = other[at];
    return against !== undefined && isEqual(each, against);
  });
