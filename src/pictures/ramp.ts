import { element } from "../language/values/element.js";
import type { Special } from "./grid.js";
import type { Scale } from "./scale.js";

/**
 * What stands for a number in a heat map: signs of more and more ink, or colours. Of a scale with both signs the signs
 * below zero have dots and those above shades, so that they differ without colour. The colours are viridis,
 * which people see as one order whatever colours they can tell apart, and which also grows lighter all the way; and
 * for both signs blue and orange, which nearly everybody tells apart, with grey at zero.
 */
const signs = { sequential: "·░▒▓█", diverging: "⣿⠿⠶⠤·░▒▓█" };

export const specialSigns: Readonly<Record<Special, string>> = {
  nan: "?",
  plus: "↑",
  minus: "↓",
  missing: " ",
};

/** The signs of a scale, from the least to the largest number. */
export const signsOf = ({ isDiverging }: Scale): readonly string[] => [
  ...(isDiverging ? signs.diverging : signs.sequential),
];

export function signOf(scale: Scale, value: number): string {
  const all = signsOf(scale);
  return element(all, Math.min(all.length - 1, Math.floor(scale.position(value) * all.length)));
}

type Colour = readonly [red: number, green: number, blue: number];

const viridis: readonly Colour[] = [
  [68, 1, 84],
  [71, 45, 123],
  [59, 82, 139],
  [44, 114, 142],
  [33, 145, 140],
  [40, 174, 128],
  [94, 201, 98],
  [173, 220, 48],
  [253, 231, 37],
];

const blueToOrange: readonly Colour[] = [
  [8, 69, 148],
  [66, 133, 200],
  [148, 190, 226],
  [222, 222, 222],
  [247, 179, 112],
  [222, 117, 32],
  [140, 62, 4],
];

/** The colour at a position between 0 and 1 of a scale. */
export function colourAt({ isDiverging }: Scale, position: number): Colour {
  const stops = isDiverging ? blueToOrange : viridis;
  const stop = Math.min(Math.max(position, 0), 1) * (stops.length - 1);
  const at = Math.min(Math.floor(stop), stops.length - 2);
  const [from, to] = [element(stops, at), element(stops, at + 1)];
  const mixed = (channel: 0 | 1 | 2): number =>
    Math.round(from[channel] + (to[channel] - from[channel]) * (stop - at));
  return [mixed(0), mixed(1), mixed(2)];
}

/** A text in the nearest of a terminal's 256 colours. */
export function coloured(text: string, [red, green, blue]: Colour): string {
  const level = (channel: number): number => Math.round(channel / 51);
  return `\x1b[38;5;${16 + 36 * level(red) + 6 * level(green) + level(blue)}m${text}\x1b[39m`;
}

export const hexOf = (colour: Colour): string =>
  `#${colour.map((each) => each.toString(16).padStart(2, "0")).join("")}`;

/** Black or white, whichever can be read on a colour: by the contrast that WCAG defines. */
export function inkOn([red, green, blue]: Colour): string {
  const linear = (channel: number): number => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return luminance > 0.179 ? "#000000" : "#ffffff";
}

/** Of bars and lines, on light and on dark ground. */
export const inks = { above: "#3d85c6", below: "#d9761a" } as const;
