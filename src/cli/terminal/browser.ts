import { spawn } from "node:child_process";
import { once } from "node:events";

/** The program that opens an address in the browser of its user, by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address of ours; whether that could be tried. The browser goes on without us. */
export async function openBrowser(
  address: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const [program, ...before] = openers[platform] ?? ["xdg-open"];
  const opener = spawn(program, [...before, address], { detached: true, stdio: "ignore" });
  opener.unref();
  try {
    await once(opener, "spawn");
    return true;
  } catch {
    return false; // there is no such program: the address was printed
  }
}
