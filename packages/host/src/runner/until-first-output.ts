import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { encodeLogRecord } from "@skein/contracts/log-record";
import type { ExecutionFolder } from "./execution-folder.ts";

/** An agent may print nothing for a long time; after this, the next agent starts anyway. */
const patienceMs = 1000;
const lookEveryMs = 50;
const started = `${encodeLogRecord({ type: "agent-started" })}\n`;

/** Resolves when the log has a line after `agent-started`, when the agent has exited, or after a second. */
export async function untilFirstOutput({ log, exit }: ExecutionFolder): Promise<void> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await wait(lookEveryMs, undefined, { ref: false })) {
    const [, said = ""] = (await readFile(log, "utf8").catch(() => "")).split(started);
    if (said !== "" || existsSync(exit)) return;
  }
}
