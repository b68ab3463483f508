import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ConversationMessage, ConversationPage } from "@skein/contracts";
import type { Cluster, SimulatedServer } from "../cluster/cluster.ts";
import type { Load } from "../load/load.ts";
import { checkRun } from "./check-run.ts";
import { readJournal } from "./read-journal.ts";
import type { Violations } from "./violations.ts";

const atOnce = 8;
const pageSize = 500;

/**
 * Reads every conversation from a server, compares it with the journals of its agents, and keeps it in `folder` for the clients. One in five is
 * read from a second server as well. Returns the number of parts that were compared.
 */
export async function checkConversations(input: {
  cluster: Cluster;
  load: Load;
  statuses: ReadonlyMap<string, string>;
  folder: string;
  violations: Violations;
}): Promise<number> {
  const { cluster, load, violations, folder } = input;
  mkdirSync(folder, { recursive: true });
  const byTask = Map.groupBy(load.runs, ({ taskId }) => taskId);
  const queue = [...load.taskIds.entries()];
  let parts = 0;
  const work = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const [index, taskId] = next;
      const serverOf = (offset: number): SimulatedServer => cluster.servers[(index + offset) % cluster.servers.length] as SimulatedServer;
      const conversation = await readConversation(serverOf(0), taskId);
      writeFileSync(join(folder, `${taskId}.json`), JSON.stringify(conversation));
      if (index % 5 === 0 && !isDeepStrictEqual(conversation, await readConversation(serverOf(1), taskId)))
        violations.add("all servers show the same", `${taskId} at ${serverOf(0).name} and ${serverOf(1).name}`);
      for (const run of byTask.get(taskId) ?? []) {
        const messages = conversation.messages.filter(({ metadata }) => metadata?.executionId === run.executionId);
        const journal = readJournal(cluster.journals, run.number);
        parts += journal.parts.length;
        const status = input.statuses.get(run.executionId) ?? "missing";
        for (const [invariant, detail] of checkRun({ number: run.number, status, messages, disturbed: run.disturbed }, journal))
          violations.add(invariant, `${detail}; ${run.executionId} on ${run.worker?.name ?? run.server.name}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return parts;
}

async function readConversation({ api }: SimulatedServer, taskId: string): Promise<Omit<ConversationPage, "lastSeq" | "hasMore">> {
  const read = (query: string) =>
    api.request<ConversationPage>("GET", `/api/tasks/${taskId}/conversation?mergeMode=live&limit=${pageSize}${query}`);
  const { lastSeq: _, hasMore, ...state } = await read("");
  const messages: ConversationMessage[] = [...state.messages];
  for (let isMore = hasMore; isMore; ) {
    const page = await read(`&before=${messages[0]?.id}`);
    messages.unshift(...page.messages);
    isMore = page.hasMore;
  }
  return { ...state, messages };
}
