// The reference: the output of the agents goes to all listeners, and nothing else happens with it.
// pipe-to-sse-server.mjs <port> <agents> <lines> <milliseconds between them>
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const [port, agents, lines, pauseMs] = process.argv.slice(2).map(Number);
const program = fileURLToPath(new URL("./replayed-agent.mjs", import.meta.url));
const clients = new Set();

createServer((request, response) => {
  if (request.url === "/start") {
    for (let i = 0; i < agents; i++) startAgent();
    response.end("started");
    return;
  }
  if (request.url !== "/events") {
    response.end("ready");
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": connected\n\n");
  clients.add(response);
  request.on("close", () => clients.delete(response));
}).listen(port, "127.0.0.1");

function startAgent() {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  createInterface({ input: child.stdout }).on("line", (line) => {
    for (const client of clients) client.write(`event: line\ndata: ${line}\n\n`);
    if (line.startsWith('{"type":"result"')) child.stdin.end();
  });
  child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: `${lines} lines, ${pauseMs} ms` } })}\n`);
}
