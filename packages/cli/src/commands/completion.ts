import { taskSummarySchema } from "@skein/contracts";
import type { Command } from "commander";
import { createApiClient } from "../client/api-client.ts";
import { findRunningServer } from "../client/running-server.ts";
import { completionScripts, type Shell } from "../completion/completion-scripts.ts";
import { type Candidate, findCandidates } from "../completion/find-candidates.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";
import { shortenId } from "../ids/short-id.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

/** `skein completion`: prints the script for a shell. */
export async function printCompletion(shell: Shell): Promise<number> {
  process.stdout.write(completionScripts[shell]);
  return exitCode.success;
}

/** `skein complete`: what may follow on a line, for the script. Prints nothing rather than fail. */
export async function complete(program: Command, words: readonly string[]): Promise<number> {
  const found = findCandidates(program, words);
  const candidates = found.kind === "listed" ? found.candidates : found.kind === "ids" ? await listTasks(found.home).catch(() => []) : [];
  const current = words.at(-1) ?? "";
  for (const { value, description } of candidates)
    if (value.startsWith(current)) console.log(description === "" ? value : `${value}\t${toRevealedLine(description)}`);
  return exitCode.success;
}

/** Tasks of a running server, by their short ids. */
async function listTasks(home: string | undefined): Promise<Candidate[]> {
  const server = await findRunningServer(resolveHome(home));
  if (server === undefined) return [];
  const tasks = await createApiClient(server).get("/api/tasks?archived=all", taskSummarySchema.array());
  const ids = tasks.map(({ id }) => id);
  return tasks.filter(({ archived }) => !archived).map(({ id, title }) => ({ value: shortenId(id, ids), description: title }));
}
