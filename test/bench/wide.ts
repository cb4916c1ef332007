import v8 from "node:v8";
import { library } from "./library.js";

/** Asks the library for vectors of 256 bits; whether it has them now. */
export function widen(): boolean {
  const { useWideVectors } = library;
  return useWideVectors({
    setFlag: (flag) => v8.setFlagsFromString(flag),
    engineVersion: process.versions.v8,
  });
}
