import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./repository.ts";

/**
 * A program that talks like Claude Code, with a request of 1,000 tokens every second; each is counted in `<folder>/requests`. It ends
 * after `requests` of them in each run. `<folder>/sessions` has the session that each run resumed.
 */
export function newSpendingClaude({ requests }: { requests: number }) {
  const folder = newFolder("spending");
  const program = join(folder, "claude.mjs");
  const session = "11111111-2222-4333-8444-555555555555";
  writeFileSync(
    program,
    `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
if (process.argv.includes("--version")) { console.log("2.1.325 (Claude Code)"); process.exit(0); }
const resumed = process.argv.find((one) => one.startsWith("--resume="))?.slice("--resume=".length) ?? "new";
const say = (line) => process.stdout.write(JSON.stringify({ session_id: ${JSON.stringify(session)}, parent_tool_use_id: null, ...line }) + "\\n");
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
createInterface({ input: process.stdin }).on("line", (text) => {
  const line = JSON.parse(text);
  if (line.type === "control_request" && line.request.subtype === "interrupt") process.exit(0);
  if (line.type === "control_request") say({ type: "control_response", response: { subtype: "success", request_id: line.request_id, response: {} } });
  if (line.type === "user") void work();
});
async function work() {
  appendFileSync(${JSON.stringify(join(folder, "sessions"))}, resumed + "\\n");
  say({ type: "system", subtype: "init", cwd: process.cwd(), model: "claude-opus-5-5", permissionMode: "default", tools: [] });
  for (let number = 1; number <= ${requests}; number++) {
    appendFileSync(${JSON.stringify(join(folder, "requests"))}, number + "\\n");
    const id = "msg_" + Date.now() + number;
    const usage = { input_tokens: 900, output_tokens: 1 };
    say({ type: "stream_event", event: { type: "message_start", message: { id, model: "claude-opus-5-5", content: [], usage } } });
    say({ type: "assistant", message: { id, role: "assistant", model: "claude-opus-5-5", content: [{ type: "text", text: "Request " + number }] } });
    say({ type: "stream_event", event: { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 100 } } });
    say({ type: "stream_event", event: { type: "message_stop" } });
    await wait(1000);
  }
  say({ type: "result", subtype: "success", is_error: false, result: "Done.", num_turns: 1, total_cost_usd: 0.01, usage: { input_tokens: ${requests * 900}, output_tokens: ${requests * 100} } });
  process.exit(0);
}
`,
  );
  return { command: [process.execPath, program], folder, session };
}
