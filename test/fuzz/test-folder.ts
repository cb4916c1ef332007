/** A folder of the tests, also for the program that is built into the cache of the packages. */
export function testFolder(path: string): URL {
  const [root, built] = import.meta.url.split("node_modules/");
  return built === undefined ? new URL(`../${path}/`, import.meta.url) : new URL(`test/${path}/`, root);
}
