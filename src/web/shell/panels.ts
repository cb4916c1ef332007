import type { Panel } from "../panel.js";

/** A panel that the bar of the page offers; it is loaded when it is first opened. */
export interface PanelEntry {
  readonly title: string;
  readonly load: () => Promise<Panel>;
}

export const panelEntries: readonly PanelEntry[] = [
  { title: "Keys", load: async () => new (await import("./keys-panel.js")).KeysPanel() },
];
