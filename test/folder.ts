import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished, TestRunner } from "vitest";

/**
 * The path of a folder for temporary files, by default among the machine's. It is there during the test that asks for it,
 * or else during the tests of the file or suite that does.
 */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = join(parent, `sphex-test-${randomUUID()}`);
  const make = (): void => void mkdirSync(folder);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (TestRunner.getCurrentTest() === undefined) {
    beforeAll(make);
    afterAll(remove);
  } else {
    make();
    onTestFinished(remove);
  }
  return folder;
}
