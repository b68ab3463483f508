import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { SkeinHttp } from "./create-http-app.ts";
import { internalProblem, type ProblemInput, problemResponse, toProblem } from "./http-problem.ts";
import { limitConnections } from "./limit-connections.ts";
import { applySecurityHeaders, securityHeaders } from "./security/security-headers.ts";
import { tooManyCookiesPage } from "./static/pages.ts";

export interface HttpListener {
  port: number;
  /** Event streams and idle connections end at once; requests that are being answered get a moment. */
  close(): Promise<void>;
}

const closeGraceMs = 1000;

/** Rejects when the address is taken or not ours. */
export async function listen(options: {
  http: SkeinHttp;
  host: string;
  /** 0 takes any free port. */
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
  };
  const server: Server =
    tls === undefined
      ? createServer(settings, handle)
      : createTlsServer({ ...settings, ...tls, handshakeTimeout: limits.headersTimeoutMs }, handle);
  limitConnections(server, limits.connections);
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

/** Called for a request that has no usable address, or an error that even the app's own handler did not see. */
function answerUnreadable(error: unknown): Response {
  const isBadRequest = error instanceof Error && error.name === "RequestError";
  const response = problemResponse(isBadRequest ? malformed : internalProblem);
  applySecurityHeaders(response.headers);
  return response;
}

/** How long a refused client has to read the answer before its connection is closed, whatever it still sends. */
const lingerMs = 500;

/** What the client sends after the answer would keep the connection until the request times out. */
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

/** What the HTTP parser rejects never becomes a request: the answer is written to the socket by hand, which is then closed. */
function refuse(error: Error & { code?: string; rawPacket?: Buffer }, socket: Duplex): void {
  // the parser reports everything else that arrives on the same connection, too
  if (refused.has(socket)) return;
  refused.add(socket);
  // an earlier answer may still be on its way: nothing can be written into it
  if (!socket.writable || error.code === "ECONNRESET" || bytesWritten(socket) > 0) {
    socket.destroy();
    return;
  }
  const problem = toProblem(refusals[error.code ?? ""] ?? malformed);
  const isPage = problem.status === 431 && asksForPage(error.rawPacket);
  const body = isPage ? tooManyCookiesPage : JSON.stringify(problem);
  const headers = {
    ...securityHeaders,
    "content-type": isPage ? "text/html; charset=utf-8" : "application/problem+json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join("")}\r\n${body}`);
  // closed with unread data, the connection would be reset, and the answer lost
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function bytesWritten(socket: Duplex): number {
  return "bytesWritten" in socket && typeof socket.bytesWritten === "number" ? socket.bytesWritten : 0;
}

/** A browser names what it accepts before it sends its cookies. */
function asksForPage(packet: Buffer | undefined): boolean {
  return /^accept: text\/html/im.test(packet?.subarray(0, 4096).toString("latin1") ?? "");
}
