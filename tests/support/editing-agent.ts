import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./repository.ts";

const program = `
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (update) => say({ method: "session/update", params: { sessionId: "s1", update } });
const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }, { optionId: "n", name: "No", kind: "reject_once" }];
const calls = JSON.parse(process.argv[2]);
let prompt;
let asked = 0;
const askNext = () => {
  const call = calls[asked];
  if (call === undefined) return say({ id: prompt, result: { stopReason: "end_turn" } });
  say({ id: 100 + asked, method: "session/request_permission", params: { sessionId: "s1", toolCall: { toolCallId: "c" + asked, kind: "edit", status: "pending", ...call }, options } });
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, result } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") say({ id, result: { sessionId: "s1" } });
  else if (method === "session/prompt") { prompt = id; askNext(); }
  else if (result?.outcome !== undefined) {
    update({ sessionUpdate: "tool_call_update", toolCallId: "c" + asked, status: result.outcome.optionId === "y" ? "completed" : "failed" });
    asked++;
    askNext();
  }
});
`;

/** The command of an ACP agent that asks before each of these calls, as Gemini CLI does: the question is the first that it sends about a call. */
export function newEditingAgent(calls: readonly object[]): [string, ...string[]] {
  const path = join(newFolder("editing-agent"), "agent.mjs");
  writeFileSync(path, program);
  return [process.execPath, path, JSON.stringify(calls)];
}
