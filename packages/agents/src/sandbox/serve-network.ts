import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import { performServerHandshake } from "node:http2";
import { connect, isIP, type Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isPublicAddress } from "../web-fetch/is-public-address.ts";
import { proxyTarget } from "./network-channel.ts";
import { describeRefusal, type NetworkRules, type NetworkTarget } from "./network-rules.ts";

/*
 * The way out of a sandbox: a channel over which the program inside opens streams (HTTP/2, which brings flow control). Each is a
 * connection to a port of this machine that the rules name, or to the HTTP proxy here, which applies the rules to every request.
 */

const connectMs = 30_000;
const mostConnections = 4096;

/** Serves a sandbox until its channel closes. */
export function serveNetwork(channel: Duplex, rules: NetworkRules): void {
  const proxy = createServer((request, response) => void forward(request, response, rules));
  proxy.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => void tunnel({ request, client, head, rules }));
  const session = performServerHandshake(channel, { settings: { maxConcurrentStreams: mostConnections } });
  session.on("error", () => {}); // the sandbox has ended
  session.on("stream", (stream, headers) => {
    stream.on("error", () => {}); // the program has closed its connection
    stream.respond({ ":status": 200 });
    const target = headers[":authority"] ?? "";
    if (target === proxyTarget) {
      const [client, connection] = duplexPair(); // an HTTP server cannot answer on a stream of HTTP/2
      join(stream, client).catch(() => client.destroy());
      proxy.emit("connection", connection);
    } else void connectLocal(stream, { host: "127.0.0.1", port: Number(target) }, rules);
  });
}

async function connectLocal(stream: Duplex, target: NetworkTarget, rules: NetworkRules): Promise<void> {
  try {
    const server = await dial(target, rules);
    await join(stream, server);
  } catch {
    stream.destroy();
  }
}

async function tunnel({
  request,
  client,
  head,
  rules,
}: {
  request: IncomingMessage;
  client: Duplex;
  head: Buffer;
  rules: NetworkRules;
}): Promise<void> {
  client.on("error", () => {});
  try {
    const server = await dial(parseAuthority(request.url ?? ""), rules);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    server.write(head);
    await join(client, server);
  } catch (error) {
    client.end(
      `HTTP/1.1 ${error instanceof RefusedTarget ? "403 Forbidden" : "502 Bad Gateway"}\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${toReason(error)}\n`,
    );
  }
}

/** A request without encryption. */
async function forward(request: IncomingMessage, response: ServerResponse, rules: NetworkRules): Promise<void> {
  try {
    const url = new URL(request.url ?? "");
    if (url.protocol !== "http:") throw new RefusedTarget(url.host);
    const target = { host: url.hostname, port: url.port === "" ? 80 : Number(url.port) };
    const socket = await dial(target, rules);
    const { "proxy-connection": _proxy, "proxy-authorization": _authorization, ...headers } = request.headers;
    const sent = sendRequest({
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, connection: "close" },
      createConnection: () => socket,
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => sent.once("response", resolve).once("error", reject));
    answered.catch(() => {}); // thrown by the pipeline, too
    await pipeline(request, sent);
    const answer = await answered;
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(error instanceof RefusedTarget ? 403 : 502, { "content-type": "text/plain", connection: "close" })
        .end(`${toReason(error)}\n`);
  }
}

class RefusedTarget extends Error {
  constructor(target: string) {
    super(describeRefusal(target));
  }
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function join(a: Duplex, b: Duplex): Promise<void> {
  await Promise.all([pipeline(a, b), pipeline(b, a)]);
}

function parseAuthority(authority: string): NetworkTarget {
  const colon = authority.lastIndexOf(":");
  return { host: authority.slice(0, colon), port: Number(authority.slice(colon + 1)) };
}

/** Connects to a target that the rules allow. The address is checked and then used: a second look-up could return another one. */
async function dial(target: NetworkTarget, rules: NetworkRules): Promise<Socket> {
  const allowed = rules.allow(target);
  const name = `${target.host}:${target.port}`;
  if (allowed === undefined) throw new RefusedTarget(name);
  const host = target.host.replace(/^\[|\]$/g, "");
  const addresses =
    isIP(host) === 0 && host.toLowerCase() !== "localhost"
      ? (await lookup(host, { all: true })).map(({ address }) => address)
      : [host === "localhost" ? "127.0.0.1" : host];
  const usable = allowed === "any-address" ? addresses : addresses.filter(isPublicAddress);
  if (usable.length === 0) throw new RefusedTarget(`${name}, which leads to a private network`);
  let failure: unknown;
  for (const address of usable) {
    try {
      return await connectTo({ host: address, port: target.port });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function connectTo(target: NetworkTarget): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...target, allowHalfOpen: true, timeout: connectMs });
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", reject);
      socket.on("error", () => {});
      resolve(socket);
    });
    socket.once("timeout", () =>
      socket.destroy(new Error(`No connection to ${target.host}:${target.port} within ${connectMs / 1000} seconds.`)),
    );
    socket.once("error", reject);
  });
}
