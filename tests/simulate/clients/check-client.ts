import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConversationMessage, ConversationPage } from "@skein/contracts";
import { findDifference, findLost } from "./compare-conversation.ts";
import { findSeqProblems } from "./seq-segments.ts";
import type { ShownRecord } from "./shown-record.ts";
import type { SseClient } from "./sse-client.ts";

/** A stored conversation, as the simulation has read it from a server at the end. */
export type StoredConversation = Pick<
  ConversationPage,
  "messages" | "isExecuting" | "canSendMessage" | "queue" | "approvals" | "attemptId"
>;

/** Compares what a client received, was shown and has folded with what is stored. Returns how many messages were compared. */
export function checkClient(
  client: SseClient,
  input: {
    lastSeq: number;
    numbers: ArrayLike<number>;
    folder: string;
    /** Executions whose machine was lost: what was only shown from memory may be lost with it. */
    lostExecutions: readonly string[];
    isCaughtUp: boolean;
    violate(invariant: string, detail: string): void;
  },
): number {
  const { violate } = input;
  if (!input.isCaughtUp) {
    violate(
      "every client catches up",
      `at ${client.seqs.lastSeq} of ${input.lastSeq}, ${client.isConnected ? "" : "not "}connected to ${client.target.name}`,
    );
    return 0;
  }
  for (const problem of findSeqProblems(client.seqs, input.numbers)) violate("every client receives every event once", problem);
  const isLostMachine = (message: ConversationMessage): boolean => input.lostExecutions.includes(message.metadata?.executionId ?? "");
  let checked = 0;
  const checkShown = (record: ShownRecord): void => {
    for (const [taskId, shown] of record.byTask) {
      const stored = readStored(input.folder, taskId);
      checked += shown.size;
      for (const problem of findLost(shown.values(), stored?.messages ?? [], { onlyCommitted: isLostMachine }))
        violate("nothing that was shown is lost", `${taskId}: ${problem}`);
    }
  };
  if (client.audit !== undefined) checkShown(client.audit);
  for (const { shown } of client.closedConversations) checkShown(shown);
  const { conversation } = client;
  if (conversation === undefined) return checked;
  checkShown(conversation.shown);
  const stored = readStored(input.folder, conversation.taskId);
  if (stored === undefined) return checked;
  const { view } = conversation;
  const difference = findDifference(view.state.messages, stored.messages);
  const pick = ({ isExecuting, canSendMessage, queue, approvals }: StoredConversation) =>
    JSON.stringify({ isExecuting, canSendMessage, queue, approvals });
  if (difference !== undefined) violate("what a client has folded equals the stored state", `${conversation.taskId}: ${difference}`);
  else if (pick(view.state as StoredConversation) !== pick(stored)) {
    violate(
      "what a client has folded equals the stored state",
      `${conversation.taskId}: ${pick(view.state as StoredConversation)}\n  stored: ${pick(stored)}`,
    );
  }
  return checked;
}

function readStored(folder: string, taskId: string): StoredConversation | undefined {
  const file = join(folder, `${taskId}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as StoredConversation) : undefined;
}
