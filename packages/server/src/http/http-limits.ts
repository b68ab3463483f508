export interface HttpLimits {
  /** Request body of a command: messages carry images. */
  commandBodyBytes: number;
  /** Every other request body. */
  bodyBytes: number;
  headerBytes: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** How often connections are looked at for the two times above. */
  connectionsCheckMs: number;
  keepAliveTimeoutMs: number;
  /** Over it, a new connection takes the place of one that only waits. */
  connections: number;
  eventClients: number;
  /** What may wait for one client that reads too slowly; beyond it the client is disconnected and comes back by Last-Event-ID. */
  eventClientBytes: number;
  /** A client that missed more events than this gets whole conversations instead. */
  replayEvents: number;
  heartbeatMs: number;
  /** A client that takes nothing of a download for so long is disconnected. */
  stalledDownloadMs: number;
  /** A download that takes longer is cut off: for a slow client, too, one state of the database is kept, and its log grows meanwhile. */
  longestDownloadMs: number;
}

export const defaultHttpLimits: HttpLimits = {
  commandBodyBytes: 32 * 1024 * 1024,
  bodyBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  connectionsCheckMs: 2_000,
  keepAliveTimeoutMs: 5_000,
  connections: 512,
  eventClients: 64,
  eventClientBytes: 4 * 1024 * 1024,
  replayEvents: 2_000,
  heartbeatMs: 15_000,
  stalledDownloadMs: 60_000,
  longestDownloadMs: 10 * 60_000,
};
