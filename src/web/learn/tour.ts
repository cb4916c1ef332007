import type { TourStep } from "./exercise.js";
import { functionSteps } from "./tour-functions.js";
import { modelSteps } from "./tour-models.js";
import { typeSteps } from "./tour-types.js";

/** “A tensor formalism for computer science”, by Bratseth, Pettersen and Solbakken, from the types to its two models. */
export const tour: readonly TourStep[] = [...typeSteps, ...functionSteps, ...modelSteps];
