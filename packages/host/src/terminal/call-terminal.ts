import { connect } from "node:net";
import type { TerminalReply, TerminalRequest } from "./terminal-protocol.ts";

const graceMs = 10_000;

/** The process of the terminal is gone, or is about to be. */
export class TerminalGoneError extends Error {
  override readonly name = "TerminalGoneError";
}

/** Sends one request to the process of a terminal. Rejects with `TerminalGoneError` if it does not answer. */
export async function callTerminal(
  { socket: path, key }: { socket: string; key: string },
  request: TerminalRequest,
): Promise<TerminalReply & { data: Uint8Array }> {
  const answer = await new Promise<Buffer>((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(path);
    // any process of this user may have replaced the socket
    socket.setTimeout(graceMs + ("waitMs" in request ? request.waitMs : 0), () => socket.destroy());
    socket.once("connect", () => socket.write(`${JSON.stringify({ ...request, key })}\n`));
    socket.on("data", (part: Buffer) => void parts.push(part));
    socket.on("error", (cause) => reject(new TerminalGoneError("The terminal cannot be reached.", { cause })));
    socket.on("close", () => resolve(Buffer.concat(parts)));
  });
  const end = answer.indexOf(0x0a);
  if (end === -1) throw new TerminalGoneError("The terminal does not answer.");
  const reply = JSON.parse(answer.subarray(0, end).toString()) as TerminalReply;
  const data = answer.subarray(end + 1);
  if (data.length !== reply.length) throw new TerminalGoneError("The answer of the terminal is not complete.");
  return { ...reply, data };
}
