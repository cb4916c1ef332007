import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can be cut: what runs over it is lost, or is never answered. */
export interface CuttableWay {
  readonly port: number;
  /** All connections end at once. */
  readonly cut: () => void;
  /** Nothing comes through any more, and nobody is told. */
  readonly block: () => void;
  /** Connections from now on go through. */
  readonly restore: () => void;
  readonly close: () => void;
}

export async function proxyTo(port: number): Promise<CuttableWay> {
  const sockets = new Set<Socket>();
  let isBlocked = false;
  const server = createServer((client) => {
    const other = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, other],
      [other, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => void (isBlocked || to.destroyed || to.write(bytes)));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const cut = (): void => {
    for (const each of sockets) each.resetAndDestroy();
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    cut,
    block: () => void (isBlocked = true),
    restore: () => {
      cut();
      isBlocked = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
