import type { Motion } from "./draft.js";

/** A key as Node's readline names it. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

/** What a key does. */
export type Action = MotionAction | { readonly does: OtherAction };

export interface MotionAction {
  readonly does: "move" | "erase";
  readonly motion: Motion;
}

export type OtherAction =
  | "enter"
  | "newline"
  | "complete"
  | "yank"
  | "earlier"
  | "later"
  | "search"
  | "clear"
  | "interrupt"
  | "end"
  | "paste"
  | "pasted"
  | "cancel";

const move = (motion: Motion): Action => ({ does: "move", motion });
const erase = (motion: Motion): Action => ({ does: "erase", motion });

// biome-ignore format: a table
const actions: Readonly<Record<string, Action>> = {
  return: { does: "enter" }, enter: { does: "enter" }, "meta return": { does: "newline" }, "meta enter": { does: "newline" }, "ctrl j": { does: "newline" },
  tab: { does: "complete" },
  left: move("left"), right: move("right"), "ctrl b": move("left"), "ctrl f": move("right"),
  home: move("lineStart"), end: move("lineEnd"), "ctrl a": move("lineStart"), "ctrl e": move("lineEnd"),
  "ctrl left": move("wordLeft"), "ctrl right": move("wordRight"), "meta b": move("wordLeft"), "meta f": move("wordRight"),
  up: { does: "earlier" }, down: { does: "later" }, "ctrl p": { does: "earlier" }, "ctrl n": { does: "later" },
  backspace: erase("left"), "ctrl h": erase("left"), delete: erase("right"),
  "ctrl w": erase("wordLeft"), "meta backspace": erase("wordLeft"), "meta d": erase("wordRight"), "meta delete": erase("wordRight"),
  "ctrl u": erase("lineStart"), "ctrl k": erase("lineEnd"), "ctrl y": { does: "yank" },
  "ctrl r": { does: "search" }, "ctrl l": { does: "clear" }, "ctrl c": { does: "interrupt" }, "ctrl d": { does: "end" },
  "ctrl g": { does: "cancel" }, escape: { does: "cancel" },
  "paste-start": { does: "paste" }, "paste-end": { does: "pasted" },
};

export function actionOf({ name = "", ctrl = false, meta = false }: Key): Action | undefined {
  const key = `${ctrl ? "ctrl " : ""}${meta ? "meta " : ""}${name}`;
  return Object.hasOwn(actions, key) ? actions[key] : undefined;
}

/** The text that a key writes. */
export function textOf(text: string | undefined, { ctrl = false, meta = false }: Key): string | undefined {
  if (text === undefined || text === "" || ctrl || meta) return undefined;
  return /^\P{Cc}+$/u.test(text) ? text : undefined;
}
