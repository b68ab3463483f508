// A fake Claude Code. The message sets its pace: `150 lines, 100 ms` between them. Every line carries the time
// at which it was written, so that the receiver can compute its delay.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

const session = "00000000-0000-4000-8000-000000000001";
async function print(line) {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, "drain");
}
const now = () => performance.timeOrigin + performance.now();

if (process.argv.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
  process.exit(0);
}

async function work(count, pauseMs) {
  await print({ type: "system", subtype: "init", session_id: session, model: "replayed", cwd: process.cwd(), tools: [] });
  const startedAt = now();
  for (let i = 0; i < count; i++) {
    const wait = startedAt + i * pauseMs - now();
    if (wait > 0) await delay(wait);
    await print(toLine(i));
  }
  await print({ type: "result", subtype: "success", is_error: false, result: "done", session_id: session });
}

/** Every fourth message calls a tool, the next line is its result, and the rest are words. */
function toLine(i) {
  const sentAt = `sentAt=${now()}@${process.pid}-${i};`;
  const about = { session_id: session, parent_tool_use_id: null };
  if (i % 4 === 1) {
    const call = { type: "tool_use", id: `toolu_${i}`, name: "Bash", input: { command: `echo ${sentAt}` } };
    return { type: "assistant", message: { id: `msg_${i}`, role: "assistant", content: [call] }, ...about };
  }
  if (i % 4 === 2) {
    const result = { type: "tool_result", tool_use_id: `toolu_${i - 1}`, content: `${sentAt} and what it printed` };
    return { type: "user", message: { role: "user", content: [result] }, ...about };
  }
  const text = { type: "text", text: `${sentAt} ${"some words of an answer ".repeat(8)}` };
  return { type: "assistant", message: { id: `msg_${i}`, role: "assistant", content: [text] }, ...about };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "control_request") {
    await print({ type: "control_response", response: { subtype: "success", request_id: message.request_id, response: {} } });
  } else if (message.type === "user") {
    const [count, pauseMs] = JSON.stringify(message.message.content).match(/\d+/g).map(Number);
    await work(count, pauseMs);
  }
}
