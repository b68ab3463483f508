/*
 * An agent that replays a recording: its arguments name the recording and which of its prompts is played. It waits for
 * our answers and for our cancel where the recording has them.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Exchange, type RpcMessage, readAcpRecording, takeRequest } from "./acp-recording.ts";

const [name = "", nthPrompt = "1"] = process.argv.slice(2);
const recording = readAcpRecording(name);
const heard: RpcMessage[] = [];
const input = createInterface({ input: process.stdin });

input.on("line", (line) => {
  const message = JSON.parse(line) as RpcMessage;
  heard.push(message);
  input.emit("heard");
  if (message.method !== undefined && message.id !== undefined) void serve(message);
});

async function serve({ id, method = "" }: RpcMessage): Promise<void> {
  const part = takeRequest(recording, method, method === "session/prompt" ? Number(nthPrompt) : 1);
  const answer = part.at(-1)?.message;
  for (const exchange of part.slice(1, -1)) await play(exchange);
  say({ jsonrpc: "2.0", ...(answer ?? { result: {} }), id });
}

async function play({ toAgent, message }: Exchange): Promise<void> {
  if (!toAgent) return say(message);
  const isExpected = ({ id, method }: RpcMessage) => method === message.method && (method !== undefined || id === message.id);
  while (!heard.some(isExpected)) await once(input, "heard");
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
