import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./repository.ts";

/** Keeps sessions in a file: `{ [id]: { cwd, title, messages } }`. Session `broken` cannot be resumed. */
const program = `
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [file] = process.argv.slice(2);
const read = () => existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const sessions = read();
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: {}, resume: {} } } } });
  else if (method === "session/list") say({ id, result: { sessions: Object.entries(sessions).map(([sessionId, { cwd, title, updatedAt }]) => ({ sessionId, cwd, title, updatedAt })) } });
  else if (method === "session/new") { sessions.fresh = { cwd: params.cwd, title: "Fresh", messages: [] }; writeFileSync(file, JSON.stringify(sessions)); say({ id, result: { sessionId: "fresh" } }); }
  else if (method === "session/resume") sessions[params.sessionId]?.cwd === params.cwd ? say({ id, result: {} }) : say({ id, error: { code: -32602, message: "No such session here" } });
  else if (method === "session/prompt") {
    const { messages } = sessions[params.sessionId];
    messages.push(params.prompt[0].text);
    writeFileSync(file, JSON.stringify(sessions));
    say({ method: "session/update", params: { sessionId: params.sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: messages.join(" | ") } } } });
    say({ id, result: { stopReason: "end_turn" } });
  } else if (id !== undefined) say({ id, error: { code: -32601, message: "Method not found" } });
}).on("close", () => process.exit(0));
`;

export interface SessionAgent {
  command: [string, ...string[]];
  /** Replaces the sessions that the agent has. */
  write(sessions: Record<string, { cwd: string; title: string; updatedAt?: string; messages: string[] }>): void;
}

/** An ACP agent that lists and resumes its sessions, and answers with all that was said in one. */
export function newSessionAgent(): SessionAgent {
  const folder = newFolder("session-agent");
  const file = join(folder, "sessions.json");
  writeFileSync(join(folder, "agent.mjs"), program);
  return {
    command: [process.execPath, join(folder, "agent.mjs"), file],
    write: (sessions) => writeFileSync(file, JSON.stringify(sessions)),
  };
}
