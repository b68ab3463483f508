import type { Attempt, AttemptDiff, ConversationMessage, Execution } from "@skein/contracts";
import { queryOptions, useQueries } from "@tanstack/react-query";
import { api } from "../api/api.ts";
import { diffQuery, executionsQuery } from "../api/queries.ts";
import { type TerminalCommand, toCommands } from "../terminal/to-commands.ts";

/** What an attempt did, as far as it is loaded. */
export interface AttemptRecord {
  attempt: Attempt;
  executions: readonly Execution[];
  diff: AttemptDiff | undefined;
  error: unknown;
  commands: readonly TerminalCommand[];
  /** True when the conversation was too long to be read whole. */
  isPartial: boolean;
}

const pageSize = 1000;
const maxPages = 5;

/** Every command, from the newest page back; a very long conversation is not read to its beginning. */
const commandsQuery = ({ id, taskId }: Attempt, executions: number) =>
  queryOptions({
    queryKey: ["commands-run", id, executions],
    queryFn: async ({ signal }) => {
      let messages: ConversationMessage[] = [];
      let hasMore = true;
      for (let pages = 0; hasMore && pages < maxPages; pages++) {
        const before = messages[0]?.id;
        const page = await api.getConversation({ taskId, attemptId: id, limit: pageSize, ...(before ? { before } : {}) }, signal);
        messages = [...page.messages, ...messages];
        hasMore = page.hasMore;
      }
      return { commands: toCommands(messages), isPartial: hasMore };
    },
  });

export function useAttemptRecords(attempts: readonly Attempt[]): AttemptRecord[] {
  const executions = useQueries({ queries: attempts.map(({ id }) => executionsQuery(id)) });
  const diffs = useQueries({ queries: attempts.map(({ id }) => ({ ...diffQuery(id), refetchOnMount: "always" as const })) });
  const commands = useQueries({ queries: attempts.map((attempt, index) => commandsQuery(attempt, executions[index]?.data?.length ?? 0)) });
  return attempts.map((attempt, index) => ({
    attempt,
    executions: executions[index]?.data ?? [],
    diff: diffs[index]?.data,
    error: diffs[index]?.error ?? executions[index]?.error ?? null,
    commands: commands[index]?.data?.commands ?? [],
    isPartial: commands[index]?.data?.isPartial ?? false,
  }));
}
