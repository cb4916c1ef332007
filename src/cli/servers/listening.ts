import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { InvalidArgumentError } from "commander";
import { UsageError } from "../terminal/failure.js";

/** What commands that listen on a port have in common. */

export function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
  }
  return Number(text);
}

/** What starts to listen; that it cannot is told in plain words. */
export async function listening<T>(start: () => Promise<T>, host: string, port: number): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? `${error.code}` : "";
    if (!(error instanceof Error) || code === "") throw error;
    const reason = reasons[code] ?? error.message;
    throw new UsageError(`cannot listen on ${host}, port ${port}: ${reason}`);
  }
}

/** Where a server that listens on a port of a host is found, such as `http://127.0.0.1:8642/`. */
export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "somebody else does",
  EADDRNOTAVAIL: "this machine has no such address",
  EACCES: "permission denied",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "there is no such host",
};
