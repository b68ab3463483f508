import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { SkeinHttp } from "./create-http-app.ts";
import { internalProblem, type ProblemInput, problemResponse, toProblem } from "./http-problem.ts";
import { applySecurityHeaders, securityHeaders } from "./security/security-headers.ts";

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
  const server: Server = tls === undefined ? createServer(settings, handle) : createTlsServer({ ...settings, ...tls }, handle);
  server.maxConnections = limits.connections;
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
  http.endStreams();
  const timer = setTimeout(() => server.closeAllConnections(), closeGraceMs);
  await closed;
  clearTimeout(timer);
}

/** Called for a request that has no usable address, or an error that even the app's own handler did not see. */
function answerUnreadable(error: unknown): Response {
  const isBadRequest = error instanceof Error && error.name === "RequestError";
  const response = problemResponse(
    isBadRequest ? { status: 400, code: "malformed-request", detail: "The request's address or host is not valid." } : internalProblem,
  );
  applySecurityHeaders(response.headers);
  return response;
}

const refusals: Record<string, ProblemInput> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: "headers-too-large", detail: "The request's headers are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: "request-timeout", detail: "The request took too long to arrive." },
};
const malformed: ProblemInput = { status: 400, code: "malformed-request", detail: "This is not a valid HTTP request." };

/** What the HTTP parser rejects never becomes a request: the answer is written to the socket by hand. */
function refuse(error: Error & { code?: string }, socket: Duplex): void {
  const input = refusals[error.code ?? ""] ?? malformed;
  // a connection that has been answered before may be in the middle of an answer: nothing can be written into it
  if (!socket.writable || error.code === "ECONNRESET" || (socket instanceof Socket && socket.bytesWritten > 0)) {
    socket.destroy();
    return;
  }
  const problem = toProblem(input);
  const body = JSON.stringify(problem);
  const headers = {
    ...securityHeaders,
    "content-type": "application/problem+json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join("")}\r\n${body}`);
}
