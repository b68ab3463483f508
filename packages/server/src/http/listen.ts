import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { isUpgradePath } from "./accept-upgrades.ts";
import type { SkeinHttp } from "./create-http-app.ts";
import { endWithResponse } from "./end-with-response.ts";
import { internalProblem, type ProblemInput, problemResponse, toProblem } from "./http-problem.ts";
import { limitConnections } from "./limit-connections.ts";
import { applySecurityHeaders } from "./security/security-headers.ts";
import { tooManyCookiesPage } from "./static/pages.ts";

export interface HttpListener {
  port: number;
  /** Closes event streams and idle connections at once; requests in progress get a moment. */
  close(): Promise<void>;
}

const closeGraceMs = 1000;

/** Rejects if the address is in use or not local. */
export async function listen(options: {
  http: SkeinHttp;
  host: string;
  /** 0 selects any free port. */
  port: number;
  /** PEM texts. */
  tls?: { cert: string; key: string } | undefined;
}): Promise<HttpListener> {
  const { http, host, port, tls } = options;
  const { limits } = http;
  const handle = getRequestListener(http.app.fetch, { errorHandler: answerUnreadable });
  const settings = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // any other request that offers an upgrade, as of curl --http2, is answered without one
    shouldUpgradeCallback: ({ url }: IncomingMessage) => isUpgradePath(url),
  };
  const server: Server =
    tls === undefined
      ? createServer(settings, handle)
      : createTlsServer({ ...settings, ...tls, handshakeTimeout: limits.headersTimeoutMs }, handle);
  limitConnections(server, limits.connections);
  http.acceptUpgrades(server);
  server.on("request", closeWhenAnsweredEarly);
  server.on("clientError", refuse);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("expected to listen on a port");
  return { port: address.port, close: () => close(server, http) };
}

async function close(server: Server, http: SkeinHttp): Promise<void> {
  const closed = once(server, "close");
  server.close();
  http.close();
  const timer = setTimeout(() => server.closeAllConnections(), closeGraceMs);
  await closed;
  clearTimeout(timer);
}

/** Handles requests without a valid URL, and errors that the app's own handler did not catch. */
function answerUnreadable(error: unknown): Response {
  const isBadRequest = error instanceof Error && error.name === "RequestError";
  const response = problemResponse(isBadRequest ? malformed : internalProblem);
  applySecurityHeaders(response.headers);
  return response;
}

/** Time that a rejected client has to read the response before its connection is closed. */
const lingerMs = 500;

/** Data sent after an early response would keep the connection open until the request times out. */
function closeWhenAnsweredEarly(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.complete) return;
    const timer = setTimeout(() => !request.complete && request.socket.destroy(), lingerMs);
    timer.unref();
    request.once("end", () => clearTimeout(timer));
  });
}

const refusals: Record<string, ProblemInput> = {
  HPE_HEADER_OVERFLOW: { status: 431, text: { code: "headers-too-large" } },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, text: { code: "request-timeout" } },
};
const malformed: ProblemInput = { status: 400, text: { code: "malformed-request" } };
const refused = new WeakSet<Duplex>();

/** The HTTP parser rejected the request: the response is written to the socket directly, which is then closed. */
function refuse(error: Error & { code?: string; rawPacket?: Buffer }, socket: Duplex): void {
  // the parser also reports everything else that arrives on this connection
  if (refused.has(socket)) return;
  refused.add(socket);
  // an earlier response may still be in progress: nothing can be inserted
  if (!socket.writable || error.code === "ECONNRESET" || bytesWritten(socket) > 0) {
    socket.destroy();
    return;
  }
  const problem = toProblem(refusals[error.code ?? ""] ?? malformed);
  const isPage = problem.status === 431 && asksForPage(error.rawPacket);
  const body = isPage ? tooManyCookiesPage : JSON.stringify(problem);
  const headers = { "content-type": isPage ? "text/html; charset=utf-8" : "application/problem+json" };
  endWithResponse(socket, { ...problem, headers, body });
  // closing with unread data would reset the connection and lose the response
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function bytesWritten(socket: Duplex): number {
  return "bytesWritten" in socket && typeof socket.bytesWritten === "number" ? socket.bytesWritten : 0;
}

/** Browsers send Accept before their cookies. */
function asksForPage(packet: Buffer | undefined): boolean {
  return /^accept: text\/html/im.test(packet?.subarray(0, 4096).toString("latin1") ?? "");
}
