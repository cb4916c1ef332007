/** What archives need of the library that packs and unpacks them: bundlers leave the rest of it out. */
export { Inflate, zipSync } from "fflate";
