import { glob, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Usage } from "@skein/contracts";
import { objectField } from "@skein/engine/json-fields";
import { parseLine } from "../lines/parse-line.ts";
import { toCodexUsage } from "./codex-usage.ts";

/** A thread's usage so far, from Codex's own record; undefined if there is none. */
export async function findThreadUsage(threadId: string, environment: Readonly<Record<string, string>>): Promise<Usage | undefined> {
  const home = environment.CODEX_HOME ?? join(environment.HOME ?? homedir(), ".codex");
  try {
    for await (const path of glob(`sessions/*/*/*/rollout-*-${threadId}.jsonl`, { cwd: home })) {
      return findUsage(await readFile(join(home, path), "utf8"));
    }
  } catch {
    // no readable record: the execution then shows the thread's total
  }
  return undefined;
}

function findUsage(record: string): Usage | undefined {
  for (const text of record.split("\n").reverse()) {
    if (!text.includes('"token_count"')) continue;
    const line = parseLine(text);
    const info = line.type === "object" ? objectField(objectField(line.value, "payload"), "info") : undefined;
    const usage = objectField(info, "total_token_usage");
    if (usage !== undefined) return toCodexUsage(usage);
  }
  return undefined;
}
