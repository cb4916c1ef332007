import { expect, test } from "vitest";
import {
  containerNumber,
  contentNumber,
  leadingNumber,
  startingCount,
  startingNumber,
  startingWhole,
} from "../../src/vespa/package/model/engine-numbers.js";

/** Numbers in texts, as `strtod` of the GNU C library and `Double.parseDouble` of Java 17 read them. */

const none = undefined;

// biome-ignore format: a table
test.each<[string, number | undefined, number | undefined, number | undefined]>([
  // A text, the number that it begins with in C, what it is in C as a whole, and what it is in Java.
  ["1d",        1,         none,      1],
  ["1.5f",      1.5,       none,      1.5],
  ["1e5D",      1e5,       none,      1e5],
  [" 3",        3,         3,         3],
  [" 3 ",       3,         none,      3],
  ["\t3\n",     3,         none,      3],
  ["\u00a03",   none,      none,      none],
  ["",          none,      0,         none],
  ["  ",        none,      none,      none],
  [".",         none,      none,      none],
  ["1.",        1,         1,         1],
  [".5",        0.5,       0.5,       0.5],
  ["+7",        7,         7,         7],
  ["--1",       none,      none,      none],
  ["1,5",       1,         none,      none],
  ["1e",        1,         none,      none],
  ["-.5e1y",    -5,        none,      none],
  ["30days",    30,        none,      none],
  ["0x10",      16,        16,        none],
  ["0x1.8p1",   3,         3,         3],
  ["0x1p3d",    8,         none,      8],
  ["-0x.8p0",   -0.5,      -0.5,      -0.5],
  ["0x1.p2",    4,         4,         4],
  ["0x",        0,         none,      none],
  ["0x.p1",     0,         none,      none],
  ["0x0p9999",  0,         0,         0],
  ["0x1p-1074", 2 ** -1074, 2 ** -1074, 2 ** -1074],
  ["1e400",     none,      none,      Infinity],
  ["1e-400",    none,      none,      0],
  ["4e-320",    none,      none,      4e-320],
  ["0e999",     0,         0,         0],
  ["inf",       Infinity,  Infinity,  none],
  ["-INFINITY", -Infinity, -Infinity, none],
  ["Infinity",  Infinity,  Infinity,  Infinity],
  ["infin",     Infinity,  none,      none],
  ["nan(1)",    Number.NaN, Number.NaN, none],
  ["+NaN",      Number.NaN, Number.NaN, Number.NaN],
  ["NaNd",      Number.NaN, none,     none],
  ["red",       none,      none,      none],
])("%j", (text, leading, content, container) =>
  expect([leadingNumber(text), contentNumber(text), containerNumber(text)]).toEqual([leading, content, container]));

/** What `atof` and `atoi` of C read, and what content nodes read as a number of 32 bits without a sign. */
// biome-ignore format: a table
test.each<[string, number, number, number]>([
  ["12.7x",      12.7,      12, 12],
  [" 5",         5,         5,  0],
  ["-3",         -3,        -3, 0],
  ["+3",         3,         3,  0],
  ["0x10",       16,        0,  16],
  ["1e3",        1000,      1,  1],
  ["1e400",      Infinity,  1,  1],
  ["inf",        Infinity,  0,  0],
  ["Infinity1",  Infinity,  0,  0],
  ["4294967295", 4294967295, 4294967295, 4294967295],
  ["4294967296", 4294967296, 4294967296, 0],
  ["",           0,         0,  0],
  ["red",        0,         0,  0],
])("%j", (text, number, whole, count) =>
  expect([startingNumber(text), startingWhole(text), startingCount(text)]).toEqual([number, whole, count]));
