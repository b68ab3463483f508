import type { Attempt, AttemptDiff, ConversationMessage, Execution } from "@skein/contracts";
import { queryOptions, skipToken, useQueries } from "@tanstack/react-query";
import { api } from "../api/api.ts";
import { attemptApi } from "../api/attempt-api.ts";
import { diffQuery, executionsQuery } from "../api/queries.ts";
import { type TerminalCommand, toCommands } from "../terminal/to-commands.ts";
import { type ExecutionSums, sumExecutions } from "./to-comparison.ts";

/** What an attempt did, as far as it is loaded. */
export interface AttemptRecord {
  attempt: Attempt;
  executions: readonly Execution[] | undefined;
  /** Undefined until executions and questions are there. */
  sums: ExecutionSums | undefined;
  diff: AttemptDiff | undefined;
  error: unknown;
  commands: readonly TerminalCommand[] | undefined;
  /** True when the conversation was too long to be read whole. */
  isPartial: boolean;
}

const pageSize = 1000;
const maxPages = 5;

/** Every command, from the newest page back; a very long conversation is not read to its beginning. */
const commandsQuery = ({ id, taskId }: Attempt, executions: readonly Execution[] | undefined) =>
  queryOptions({
    // asked for again when an execution has started or ended
    queryKey: ["commands-run", id, executions?.map(({ status }) => status).join()],
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

/** Asked for again when an execution has started or ended. */
const questionsQuery = ({ id }: Attempt, executions: readonly Execution[] | undefined) =>
  queryOptions({
    queryKey: ["attempt-approvals", id, "compare", executions?.map(({ status }) => status).join()],
    queryFn: executions === undefined ? skipToken : ({ signal }) => attemptApi.listApprovals(id, signal),
  });

export function useAttemptRecords(attempts: readonly Attempt[]): AttemptRecord[] {
  const executions = useQueries({ queries: attempts.map(({ id }) => executionsQuery(id)) });
  const diffs = useQueries({ queries: attempts.map(({ id }) => ({ ...diffQuery(id), refetchOnMount: "always" as const })) });
  const approvals = useQueries({ queries: attempts.map((attempt, index) => questionsQuery(attempt, executions[index]?.data)) });
  const commands = useQueries({ queries: attempts.map((attempt, index) => commandsQuery(attempt, executions[index]?.data)) });
  return attempts.map((attempt, index) => {
    const ran = executions[index]?.data;
    const asked = approvals[index]?.data;
    return {
      attempt,
      executions: ran,
      sums: ran && asked && sumExecutions(ran, asked),
      diff: diffs[index]?.data,
      error: diffs[index]?.error ?? executions[index]?.error ?? approvals[index]?.error ?? null,
      commands: commands[index]?.data?.commands,
      isPartial: commands[index]?.data?.isPartial ?? false,
    };
  });
}
