/*
 * The first program in a sandbox with a network: offers the proxy and local ports there, and runs the sandboxed program. It has no rights of
 * its own: what a connection may reach is decided at the other end of the channel.
 */
import { spawn } from "node:child_process";
import { type ClientHttp2Session, connect } from "node:http2";
import { createServer, type Server, Socket } from "node:net";
import { constants } from "node:os";
import { pipeline } from "node:stream/promises";
import { channelDescriptor, proxyPort, proxyTarget, type SandboxStart } from "./network-channel.ts";

const start = JSON.parse(process.argv[2] ?? "") as SandboxStart;
const channel = new Socket({ fd: channelDescriptor, readable: true, writable: true });
const session = connect("http://sandbox", { createConnection: () => channel });
session.on("error", () => {}); // Skein has exited; connections fail from here on

await Promise.all([listen(session, proxyPort, proxyTarget), ...start.localPorts.map((port) => listen(session, port, String(port)))]);

// its standard streams are the program's own; the channel is not passed on
const child = spawn(start.program, start.args, { stdio: "inherit" });
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {}); // the group gets them: the program decides
child.once("error", (error) => {
  console.error(error.message);
  process.exit("code" in error && error.code === "ENOENT" ? 127 : 126);
});
child.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));

async function listen(session: ClientHttp2Session, port: number, target: string): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    try {
      const stream = session.request({ ":method": "CONNECT", ":authority": target });
      await Promise.all([pipeline(socket, stream), pipeline(stream, socket)]);
    } catch {
      socket.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return server;
}
