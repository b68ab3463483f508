export interface HttpLimits {
  /** Size limit of a command's body, which may contain images. */
  commandBodyBytes: number;
  /** Size limit of every other request body. */
  bodyBytes: number;
  /** Size limit of a file that is stored while it is received. */
  uploadBytes: number;
  headerBytes: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** Interval for enforcing the two timeouts above. */
  connectionsCheckMs: number;
  keepAliveTimeoutMs: number;
  /** Above this, a new connection replaces an idle one. */
  connections: number;
  eventClients: number;
  /** Buffer limit of a client that reads too slowly; beyond it the client is disconnected and resumes with Last-Event-ID. */
  eventClientBytes: number;
  /** A client that missed more events gets whole conversations instead. */
  replayEvents: number;
  heartbeatMs: number;
  /** A client that reads nothing of a download for this long is disconnected. */
  stalledDownloadMs: number;
  /** Time limit of a download: it holds a snapshot of the database, and the WAL grows meanwhile. */
  longestDownloadMs: number;
}

export const defaultHttpLimits: HttpLimits = {
  commandBodyBytes: 32 * 1024 * 1024,
  bodyBytes: 1024 * 1024,
  uploadBytes: 2 * 1024 ** 3,
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
