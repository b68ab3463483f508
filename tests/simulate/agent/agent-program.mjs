// A scripted agent that speaks Claude Code's protocol: `agent-program.mjs <folder of journals> <Claude Code's arguments>`. The message sets
// its work: `run=17 seed=5 lines=200 every=150`. What it prints is decided by the seed; each part carries a token with its number and time.
// Its journal is the truth that the simulation compares with: one line for each start, for each part before it is printed, and for the end.

import { once } from "node:events";
import { appendFileSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { createScript } from "./agent-script.mjs";

const [folder, ...args] = process.argv.slice(2);

if (folder === "--version" || args.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
  process.exit(0);
}

const resumed = args.find((arg) => arg.startsWith("--resume="))?.slice("--resume=".length);
const session = resumed ?? `00000000-0000-4000-8000-${String(process.pid).padStart(6, "0")}${String(Date.now()).slice(-6)}`;
let isInterrupted = false;

async function print(line) {
  if (!process.stdout.write(`${JSON.stringify({ session_id: session, parent_tool_use_id: null, ...line })}\n`))
    await once(process.stdout, "drain");
}

async function work({ run, seed, lines, every }) {
  const journal = openSync(path.join(folder, `${run}.journal`), "a");
  const note = (text) => writeSync(journal, `${text}\n`);
  note(`start ${process.pid} ${Date.now()}`);
  await print({ type: "system", subtype: "init", model: "scripted", cwd: process.cwd(), tools: [] });
  const startedAt = performance.now();
  let printed = 0;
  for (const { line, part, edit } of createScript({ run, seed, lines, directory: process.cwd() })) {
    const wait = startedAt + printed * every - performance.now();
    if (wait > 0) await delay(wait);
    if (isInterrupted) break;
    if (edit !== undefined) appendFileSync(path.join(process.cwd(), "work.txt"), edit);
    if (part !== undefined) note(`part ${part}`);
    await print(line());
    printed++;
  }
  note(`${isInterrupted ? "interrupted" : "end"} ${printed} ${Date.now()}`);
  const usage = { input_tokens: 1000, output_tokens: 10 * printed, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const end = isInterrupted ? { subtype: "error_during_execution", is_error: true } : { subtype: "success", is_error: false };
  await print({ type: "result", ...end, result: "done", usage, total_cost_usd: 0.01, num_turns: 1 });
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "control_request") {
    if (message.request?.subtype === "interrupt") isInterrupted = true;
    await print({ type: "control_response", response: { subtype: "success", request_id: message.request_id, response: {} } });
  } else if (message.type === "user") {
    // a new session gets the conversation so far before its message: the last one counts
    const found = [...JSON.stringify(message.message.content).matchAll(/run=(\d+) seed=(\d+) lines=(\d+) every=([\d.]+)/g)].at(-1);
    if (found === undefined) throw new Error("The message names no run.");
    const [run, seed, lines, every] = found.slice(1).map(Number);
    // not awaited: an interrupt arrives meanwhile
    void work({ run, seed, lines, every });
  }
}
