import type { Plugin } from "esbuild";

export const parserCore: Plugin;
