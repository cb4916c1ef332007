import type { Panel } from "../panel.js";

/** A panel that the bar of the page offers; it is loaded when it is first opened. */
export interface PanelEntry {
  readonly title: string;
  readonly load: () => Promise<Panel>;
}

export const panelEntries: readonly PanelEntry[] = [
  { title: "Learn", load: async () => new (await import("../learn/learn-panel.js")).LearnPanel() },
  {
    title: "Rank profile",
    load: async () => new (await import("../profile/profile-panel.js")).ProfilePanel(),
  },
  { title: "Share", load: async () => new (await import("../share/share-panel.js")).SharePanel() },
  { title: "Keys", load: async () => new (await import("./keys-panel.js")).KeysPanel() },
];
