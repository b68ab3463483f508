import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Channel, ChannelListener } from "./channel.ts";
import { maxFrameBytes } from "./frames.ts";

/** Data in the socket's buffer above which a sender waits. */
const highWaterBytes = 1024 * 1024;
const drainCheckMs = 5;

/** Accepts a WebSocket on a connection that the caller has checked. Loads `ws` on first use. */
export async function acceptWebSocket(request: IncomingMessage, socket: Duplex, head: Uint8Array): Promise<Channel> {
  const { WebSocketServer } = await import("ws");
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false, clientTracking: false });
  return new Promise((resolve, reject) => {
    socket.once("close", () => reject(new Error("The connection was closed.")));
    server.handleUpgrade(request, socket, Buffer.from(head), (accepted) => resolve(toChannel(accepted)));
  });
}

/** The server refused the connection; `status` is its answer. */
export class WebSocketRefusedError extends Error {
  override readonly name = "WebSocketRefusedError";
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`The server answered ${status}.`);
    this.status = status;
    this.body = body;
  }
}

/** Opens a WebSocket. Certificates are verified. Rejects with `WebSocketRefusedError`, or with the error of the connection. */
export async function openWebSocket(input: {
  url: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
}): Promise<Channel> {
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(input.url, {
    headers: { ...input.headers },
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    followRedirects: false,
    handshakeTimeout: input.timeoutMs,
  });
  const channel = toChannel(socket);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(channel));
    socket.once("error", reject);
    socket.once("unexpected-response", (_request, response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.length < 16 && chunks.push(chunk));
      response.once("end", () => reject(new WebSocketRefusedError(response.statusCode ?? 0, Buffer.concat(chunks).toString("utf8"))));
      response.once("error", reject);
    });
  });
}

function toChannel(socket: WebSocket): Channel {
  let listener: ChannelListener | undefined;
  let early: Uint8Array[] = [];
  let closed: string | undefined;

  function end(reason: string): void {
    if (closed !== undefined) return;
    closed = reason;
    listener?.onClose(reason);
  }

  socket.binaryType = "nodebuffer";
  socket.on("message", (data, isBinary) => {
    const frame = Buffer.isBuffer(data) && isBinary ? data : new Uint8Array(0);
    if (listener === undefined) early.push(frame);
    else listener.onFrame(frame);
  });
  socket.on("close", (code, reason) => end(reason.toString("utf8") || `closed (${code})`));
  socket.on("error", (error) => end(error.message));
  return {
    send: (frame) => socket.send(frame, { binary: true }),
    whenWritable: () => (socket.bufferedAmount < highWaterBytes ? undefined : untilDrained(socket)),
    listen(given) {
      listener = given;
      for (const frame of early) given.onFrame(frame);
      early = [];
      if (closed !== undefined) given.onClose(closed);
    },
    close(reason) {
      // a peer that does not answer must not keep the socket open
      socket.close(
        1000,
        Buffer.from(reason)
          .subarray(0, 120)
          .toString("utf8")
          .replace(/\uFFFD$/, ""),
      );
      setTimeout(() => socket.terminate(), 1000).unref();
    },
  };
}

/** `ws` reports no drain. */
function untilDrained(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (socket.bufferedAmount >= highWaterBytes && socket.readyState === socket.OPEN) return;
      clearInterval(timer);
      resolve();
    }, drainCheckMs);
  });
}
