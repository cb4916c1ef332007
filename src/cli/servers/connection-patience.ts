/** Milliseconds, and bytes: for servers of this machine, which close a connection that is slow or half open. */
export const connectionPatience = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
} as const;
