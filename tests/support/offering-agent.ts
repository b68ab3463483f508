import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./repository.ts";

const program = `
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const state = { mode: "code", model: "small" };
const modes = [["code", "Code"], ["review", "Review"], ["yolo", "Everything"]].map(([id, name]) => ({ id, name }));
const models = [["small", "Small 1"], ["large", "Large 2"]].map(([modelId, name]) => ({ modelId, name }));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => say({ id, result });
  if (method === "initialize") answer({ protocolVersion: 1, agentCapabilities: { loadSession: false } });
  else if (method === "session/new") answer({ sessionId: "s1", modes: { currentModeId: state.mode, availableModes: modes }, models: { currentModelId: state.model, availableModels: models } });
  else if (method === "session/set_mode") answer({ ...void (state.mode = params.modeId) });
  else if (method === "session/set_model") answer({ ...void (state.model = params.modelId) });
  else if (method === "session/prompt") {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: state.mode + " with " + state.model } };
    say({ method: "session/update", params: { sessionId: "s1", update } });
    answer({ stopReason: "end_turn" });
  }
});
`;

/** The command of an ACP agent whose sessions offer models and modes, and that answers with the chosen ones. */
export function newOfferingAgent(): [string, ...string[]] {
  const path = join(newFolder("offering-agent"), "agent.mjs");
  writeFileSync(path, program);
  return [process.execPath, path];
}
