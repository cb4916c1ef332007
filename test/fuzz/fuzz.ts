import { readdirSync, readFileSync } from "node:fs";
import { Choice } from "../hunt/choice.js";
import { mutatedBytes, mutatedText } from "./mutation.js";
import { smaller } from "./smaller.js";
import type { Surface } from "./surface.js";
import { documentSurfaces } from "./surfaces/documents.js";
import { formatSurfaces } from "./surfaces/formats.js";
import { modelSurfaces } from "./surfaces/models.js";
import { packageSurfaces } from "./surfaces/packages.js";
import { peopleSurfaces } from "./surfaces/people.js";
import { programSurfaces } from "./surfaces/programs.js";
import { savedSurfaces } from "./surfaces/saved.js";
import { tableSurfaces } from "./surfaces/tables.js";
import { valueSurfaces } from "./surfaces/values.js";
import { testFolder } from "./test-folder.js";

/** Inputs by their numbers: one follows from the seed and its number alone. */

export const surfaces: readonly Surface[] = [
  ...programSurfaces,
  ...formatSurfaces,
  ...documentSurfaces,
  ...packageSurfaces,
  ...modelSurfaces,
  ...tableSurfaces,
  ...peopleSurfaces,
  ...valueSurfaces,
  ...savedSurfaces,
];

export type Input = string | Uint8Array;

/** An input that broke something, made as small as it could be. */
export interface Found {
  readonly surface: string;
  readonly number: number;
  readonly input: Input;
  readonly message: string;
}

/** What one input may take of the processor. */
const mostMilliseconds = 5000;

export class Fuzz {
  private readonly corpus = new Map<string, Input[]>();
  /** The messages of what was found, in which the same mistake mostly has the same words. */
  private readonly messages = new Set<string>();

  constructor(
    private readonly seed: number,
    private readonly only = "",
  ) {
    for (const { name } of surfaces) this.corpus.set(name, corpusOf(name));
  }

  /** Tries the input of a number, and makes it small where something is broken that was not seen before. */
  async attempt(number: number): Promise<Found | undefined> {
    const choice = new Choice((this.seed * 2_654_435_761 + number) >>> 0);
    const possible = surfaces.filter(({ name }) => name.includes(this.only));
    const surface = choice.weighted(possible, ({ weight }) => weight);
    const input = this.inputFor(surface, choice);
    const seed = choice.seed();
    const message = await faultOf(surface, input, seed);
    if (message === undefined) return undefined;
    const key = `${surface.name} ${message.replaceAll(/\d+|["'`].*/gs, "")}`;
    if (this.messages.has(key)) return undefined;
    this.messages.add(key);
    const isFaulty = async (each: Input): Promise<boolean> =>
      (await faultOf(surface, each, seed)) !== undefined;
    const small = await smaller(input, isFaulty);
    return {
      surface: surface.name,
      number,
      input: small,
      message: (await faultOf(surface, small, seed)) ?? message,
    };
  }

  /** One by the grammar, mostly after some accidents, or one of the corpus after some. */
  private inputFor(surface: Surface, choice: Choice): Input {
    const stored = this.corpus.get(surface.name) ?? [];
    const pick = (): Input =>
      stored.length > 0 && choice.percent(20) ? choice.oneOf(stored) : surface.derive(choice);
    const [input, donor] = [pick(), pick()];
    if (choice.percent(35)) return input;
    if (typeof input === "string") return mutatedText(input, typeof donor === "string" ? donor : "", choice);
    return mutatedBytes(input, typeof donor === "string" ? new Uint8Array() : donor, choice);
  }
}

/** What is broken by an input; nothing where all is well. */
export async function faultOf(surface: Surface, input: Input, seed: number): Promise<string | undefined> {
  const before = process.cpuUsage();
  try {
    await surface.attempt(input, new Choice(seed));
  } catch (error) {
    if (!(error instanceof Error)) return `${error}`;
    const [, place = ""] = /\n\s+at (.*)/.exec(error.stack ?? "") ?? [];
    return `${error.name}: ${error.message.slice(0, 300)}${error.name === "Broken" ? "" : ` at ${place}`}`;
  }
  const { user, system } = process.cpuUsage(before);
  const milliseconds = (user + system) / 1000;
  return milliseconds > mostMilliseconds ? `it takes ${Math.round(milliseconds)} ms` : undefined;
}

const folder = testFolder("fuzz/corpus");

/** What was found before, and must not come again: `corpus/SURFACE/NAME`. */
function corpusOf(name: string): Input[] {
  const own = new URL(`${name.replaceAll(" ", "-")}/`, folder);
  const surface = surfaces.find((each) => each.name === name);
  const isText = typeof surface?.derive(new Choice(1)) === "string";
  try {
    const names = readdirSync(own).sort();
    return names.map((each) => {
      const bytes = readFileSync(new URL(each, own));
      return isText ? bytes.toString("utf8") : Uint8Array.from(bytes);
    });
  } catch {
    return [];
  }
}

/** All inputs of the corpus, with their surfaces. */
export const corpus = (): readonly { readonly surface: Surface; readonly input: Input }[] =>
  surfaces.flatMap((surface) => corpusOf(surface.name).map((input) => ({ surface, input })));
