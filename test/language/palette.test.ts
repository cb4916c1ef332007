import { expect, test } from "vitest";
import { inked, palette } from "../../src/language/source/palette.js";

/** The levels of the colour cube of terminals, which are numbers from 16 to 231; then come 24 greys. */
const levels = [0, 95, 135, 175, 215, 255];

function rgbOf(number: number): readonly number[] {
  if (number >= 232) return [1, 1, 1].map((each) => each * (8 + 10 * (number - 232)));
  const at = number - 16;
  return [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((each) => levels[each] ?? 0);
}

/** Relative luminance, and contrast, as WCAG 2 defines them. */
function luminanceOf(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((each) => {
    const part = each / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: readonly number[], other: readonly number[]): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test("contrast is measured as WCAG does", () => {
  expect(contrastOf([255, 255, 255], [0, 0, 0])).toBeCloseTo(21, 5);
  expect(contrastOf([118, 118, 118], [255, 255, 255])).toBeCloseTo(4.54, 2);
});

/** White, black, and the grounds of Solarized and of VS Code's terminal. */
const grounds = { white: [255, 255, 255], black: [0, 0, 0], light: [253, 246, 227], dark: [30, 30, 30] };

test.each(Object.entries(palette))("%s can be read on light and on dark", (_, number) => {
  expect(number).toBeGreaterThanOrEqual(16); // the first 16 are what a theme makes of them
  for (const ground of Object.values(grounds))
    expect(contrastOf(rgbOf(number), ground)).toBeGreaterThanOrEqual(3);
});

test("a coloured text ends with its colour", () => {
  expect(inked("red", "x", true)).toBe("\x1b[1m\x1b[38;5;160mx\x1b[0m");
});
