import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./repository.ts";

const program = `
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const sendText = (text) => say({ method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
const asked = new Map();
const ask = (params) => new Promise((resolve) => {
  const id = "ask-" + asked.size;
  asked.set(id, resolve);
  say({ id, method: "elicitation/create", params: { sessionId: "s1", ...params } });
});
const requestedSchema = {
  type: "object",
  required: ["name", "kind"],
  properties: {
    name: { type: "string", title: "Package name", description: "As it is published" },
    port: { type: "integer", title: "Port", minimum: 1, maximum: 65535, default: 8080 },
    strict: { type: "boolean", title: "Strict mode", default: true },
    kind: { type: "string", title: "Kind", oneOf: [{ const: "lib", title: "Library" }, { const: "app", title: "Application", description: "Has a main function" }] },
    tags: { type: "array", title: "Tags", items: { type: "string", enum: ["web", "cli", "api"] }, maxItems: 2 },
  },
};
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, result } = JSON.parse(line);
  if (method === undefined) return asked.get(id)?.(result);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") say({ id, result: { sessionId: "s1" } });
  else if (method === "session/prompt") {
    sendText("form: " + JSON.stringify(await ask({ mode: "form", message: "Tell me about the new package.", requestedSchema })));
    sendText("page: " + JSON.stringify(await ask({ mode: "url", elicitationId: "e1", message: "Sign in to the registry.", url: "https://registry.example.com/login?device=7" })));
    say({ id, result: { stopReason: "end_turn" } });
  }
}).on("close", () => process.exit(0));
`;

/** The command of an ACP agent that asks for a form, then to open a page, and prints the answers. */
export function newElicitingAgent(): [string, string] {
  const file = join(newFolder("eliciting"), "agent.mjs");
  writeFileSync(file, program);
  return [process.execPath, file];
}
