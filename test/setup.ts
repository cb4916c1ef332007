import { afterEach, expect } from "vitest";
import { invalidModule, watchModules } from "./watched-modules.js";

/** A kernel that is no WebAssembly fails the test in which it is made, though the engine does without it. */
watchModules();

afterEach(() => {
  expect(invalidModule()).toBeUndefined();
});
