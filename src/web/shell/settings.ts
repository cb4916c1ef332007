import type { TextStorage } from "../browser-storage.js";

/** What a reader has chosen for all documents, kept in the browser. */
export interface Settings {
  readonly theme: Theme;
  /** Whether types are shown behind names that do not say theirs. */
  readonly inlays: boolean;
  /** Whether what Vespa reads otherwise is shown below a value. */
  readonly comparison: boolean;
}

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const key = "sphex-settings";
const usual: Settings = { theme: "system", inlays: true, comparison: true };

export function readSettings(storage: TextStorage): Settings {
  try {
    const stored: Partial<Settings> = JSON.parse(storage.getItem(key) ?? "{}");
    return {
      theme: themes.find((each) => each === stored.theme) ?? usual.theme,
      inlays: stored.inlays !== false,
      comparison: stored.comparison !== false,
    };
  } catch {
    return usual;
  }
}

export function keepSettings(storage: TextStorage, settings: Settings): void {
  try {
    storage.setItem(key, JSON.stringify(settings));
  } catch {
    // A full or forbidden storage keeps nothing, and the page goes on.
  }
}

/** Makes the page look as the settings say. */
export function applySettings({ theme, inlays }: Settings, root: HTMLElement): void {
  root.dataset.theme = theme;
  root.dataset.inlays = inlays ? "on" : "off";
}
