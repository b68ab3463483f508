import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

interface Connection {
  socket: Socket;
  /** When it started to wait for a request, or for the rest of one. */
  since: number;
  /** Requests without a complete response. */
  requests: Set<{ request: IncomingMessage; response: ServerResponse }>;
}

/**
 * Limits the number of connections. Above `max`, a new connection replaces the oldest idle one: one that waits for a request, for the
 * rest of one, or for a client that does not read. So clients that send nothing cannot block others. Event streams and requests in
 * progress are kept; if there are only those, the new connection is closed.
 */
export function limitConnections(server: Server, max: number): void {
  const connections = new Map<string, Connection>();
  let order = 0;

  server.on("connection", (socket: Socket) => {
    if (connections.size >= max && !closeOldestWaiting(connections.values())) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    connections.set(key, { socket, since: ++order, requests: new Set() });
    socket.once("close", () => connections.delete(key));
  });
  // a worker's connection is in use until it ends
  server.on("upgrade", (request: IncomingMessage) => connections.delete(keyOf(request.socket)));
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(keyOf(request.socket));
    if (connection === undefined) return;
    const exchange = { request, response };
    connection.since = ++order;
    connection.requests.add(exchange);
    response.once("close", () => {
      connection.requests.delete(exchange);
      connection.since = ++order;
    });
  });
}

/** With TLS, the socket of a request is not the accepted one, but has the same addresses. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}

/** Returns false if there is none. */
function closeOldestWaiting(connections: Iterable<Connection>): boolean {
  const ranked = [...connections].flatMap((connection) => {
    const rank = rankOf(connection);
    return rank === undefined ? [] : [{ rank, connection }];
  });
  const oldest = ranked.sort((a, b) => a.rank - b.rank || a.connection.since - b.connection.since)[0];
  oldest?.connection.socket.destroy();
  return oldest !== undefined;
}

/** Lower ranks are closed first; undefined: never. */
function rankOf({ requests, socket }: Connection): number | undefined {
  if (requests.size === 0) return 0;
  const open = [...requests];
  // an upload in progress
  if (open.some(({ request, response }) => !request.complete && !response.headersSent)) return 1;
  // a response that the client does not read
  if (socket.writableLength > 0 && !open.some(({ response }) => isEventStream(response))) return 2;
  return undefined;
}

function isEventStream(response: ServerResponse): boolean {
  return response.getHeader("content-type") === "text/event-stream";
}
