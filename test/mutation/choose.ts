import { Choice } from "../hunt/choice.js";
import { isExemptFile } from "./exempt.js";
import { instrumented } from "./instrumented.js";
import { type Mutant, mutantsOf, mutatedText } from "./mutant.js";
import type { Project } from "./project.js";

/** The folder of the engine. */
export const engine = "src/backends/engine";

const filesOf = (project: Project): readonly string[] =>
  project.filesIn(engine).filter((path) => !isExemptFile(path));

/** All mistakes that can be made in the engine. */
export const allMutants = (project: Project): readonly Mutant[] =>
  filesOf(project).flatMap((path) => mutantsOf(path, project.source(path)));

/** The files in which they can be made, made to tell which of their functions are called. */
export const instrumentedTexts = (project: Project): ReadonlyMap<string, string> =>
  new Map(filesOf(project).map((path) => [path, instrumented(path, project.source(path))]));

/** Mutants by chance, each at a place of its own, that the compiler has nothing against. */
export function* chosen(project: Project, mutants: readonly Mutant[], seed: number): Generator<Mutant> {
  const places = new Set<string>();
  for (const mutant of new Choice(seed).shuffled(mutants)) {
    const { file, edit } = mutant;
    const place = `${file}:${edit.start}`;
    if (places.has(place)) continue;
    if (!project.accepts(file, mutatedText(project.source(file).text, mutant))) continue;
    places.add(place);
    yield mutant;
  }
}
