/*
 * Plays a recording of Codex: `replay-codex.ts <recording> <exit code> app-server|exec …`. The app server's recordings hold both
 * directions: its output is replayed up to where the recording waits for a line, and then it waits for that line.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Message {
  id?: number | string;
  method?: string;
}

const [, , recording = "", exitCode = "0", ...args] = process.argv;
const [command] = args;
if (args.includes("--version")) {
  console.log("codex-cli 0.166.0");
} else if (command === "exec") {
  process.stdout.write(readFileSync(recording));
  process.exitCode = Number(exitCode);
} else if (recording.includes("codex-exec")) {
  process.exitCode = 1; // a version without an app server
} else {
  await playAppServer();
}

async function playAppServer(): Promise<void> {
  const entries = readFileSync(recording, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { dir: "send" | "recv"; msg: Message });
  /** Request ids of the recording, mapped to those of this run. */
  const ids = new Map<Message["id"], Message["id"]>();
  let position = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method } = JSON.parse(line) as Message;
    if (method === "account/read") say({ id, result: { account: null, requiresOpenaiAuth: false } });
    const next = entries.findIndex(({ dir, msg }, index) => index >= position && dir === "send" && msg.method === method);
    if (next === -1) continue;
    ids.set(entries[next]?.msg.id, id);
    for (position = next + 1; entries[position]?.dir === "recv"; position++) {
      const msg = entries[position]?.msg;
      if (msg !== undefined) say(msg.method === undefined ? { ...msg, id: ids.get(msg.id) } : msg);
    }
  }
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
