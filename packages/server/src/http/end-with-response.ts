import type { Duplex } from "node:stream";
import { securityHeaders } from "./security/security-headers.ts";

/** Writes a whole response to a connection that has no response object, and closes it. */
export function endWithResponse(
  socket: Duplex,
  { status, title, headers, body }: { status: number; title: string; headers: Record<string, string>; body: string },
): void {
  const all = { ...securityHeaders, ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join("")}\r\n${body}`);
}
