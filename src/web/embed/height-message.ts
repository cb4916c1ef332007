/** What a page in a frame tells the page around it. */
export interface HeightMessage {
  readonly sphexHeight: number;
}

export const isHeightMessage = (data: unknown): data is HeightMessage =>
  typeof data === "object" &&
  data !== null &&
  "sphexHeight" in data &&
  typeof data.sphexHeight === "number" &&
  Number.isFinite(data.sphexHeight);
