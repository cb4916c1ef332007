/** What dropped archives need of the library that unpacks them: bundlers leave the rest of it out. */
export { unzipSync } from "fflate";
