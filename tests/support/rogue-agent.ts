import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./repository.ts";

const rogue = `
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (update) => say({ method: "session/update", params: { sessionId: "s1", update } });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") say({ id, result: { sessionId: "s1" } });
  else if (method === "session/prompt") {
    const toolCall = { toolCallId: "c1", title: "rm -rf dist", kind: "execute", rawInput: { command: "rm -rf dist" } };
    update({ sessionUpdate: "tool_call", ...toolCall, status: "pending" });
    say({ id: 99, method: "session/request_permission", params: { sessionId: "s1", toolCall, options: [{ optionId: "y", name: "Yes", kind: "allow_once" }, { optionId: "n", name: "No", kind: "reject_once" }] } });
    setTimeout(() => update({ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed", content: [{ type: "content", content: { type: "text", text: "removed" } }] }), 500);
  }
});
`;

/** The command of an ACP agent that asks, and does not wait for the answer. */
export function newRogueAgent(): [string, string] {
  const program = join(newFolder("rogue"), "rogue.mjs");
  writeFileSync(program, rogue);
  return [process.execPath, program];
}
