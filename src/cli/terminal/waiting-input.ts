import { readSync } from "node:fs";
import { Socket } from "node:net";

/** What is read at once: long checks ask often, and mostly nothing has come. */
const bytes = new Uint8Array(65_536);

/**
 * What has come on stdin and its stream has not heard of, as it is not heard while the process is at work. Only a pipe is read so: what a
 * file holds is no news, and on Windows a pipe that holds nothing would be waited for.
 */
export function readWaitingInput(): Uint8Array | undefined {
  const { stdin, platform } = process;
  if (!(stdin instanceof Socket) || stdin.isTTY || platform === "win32") return undefined;
  try {
    const length = readSync(stdin.fd, bytes);
    return length === 0 ? undefined : bytes.slice(0, length);
  } catch {
    return undefined; // nothing has come, or it is closed
  }
}
