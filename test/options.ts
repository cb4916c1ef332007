import { type ParseArgsConfig, parseArgs } from "node:util";

/** The options of a script that was started by hand; what it does not have is said in a line beside those that it has, and ends it. */
export function scriptOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const names = Object.entries(config.options ?? {}).map(([name, { type }]) =>
      type === "boolean" ? `--${name}` : `--${name} …`,
    );
    console.error(
      `${error instanceof Error ? error.message.split("\n")[0] : error}\noptions: ${names.join(" ")}`,
    );
    process.exit(2);
  }
}
