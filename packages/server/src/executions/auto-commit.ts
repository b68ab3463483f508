import type { Attempt, ExecutionId } from "@skein/contracts";
import { ServiceError, toTaskTitle } from "@skein/engine";
import type { RepositoryTrust } from "../repository/repository-trust.ts";
import { getAttemptFolder } from "./attempt-folder.ts";
import type { HostedContext } from "./execution-context.ts";
import { findOwnMessage } from "./find-own-message.ts";
import { getProjectOf } from "./project-of.ts";
import { withHooks } from "./with-hooks.ts";

/**
 * Commits what an ended execution left, if the project wants that: with the first line of the message that it answered, or the title of
 * the task. Only in a worktree: in place, the branch is the user's own. Never rejects: what could not be committed stays uncommitted.
 */
export async function autoCommit(
  { context, repositoryTrust }: { context: Pick<HostedContext, "storage" | "host" | "logger" | "now">; repositoryTrust: RepositoryTrust },
  attempt: Attempt,
  executionId: ExecutionId,
): Promise<void> {
  const { storage, host, logger, now } = context;
  const { id: attemptId, taskId } = attempt;
  try {
    if (attempt.isolation !== "worktree" || !(await getProjectOf(storage.read, attempt)).autoCommit) return;
    const folder = await getAttemptFolder(context, attempt);
    const message = await toMessage(context, attempt, executionId);
    await withHooks({ context, repositoryTrust, attempt, operation: "commit" }, (hooks) =>
      host.workspaces.commit({ attempt: folder, message, hooks }),
    );
    await storage.transaction((tx) => tx.appendEvent({ type: "git:changed", taskId, attemptId }, now()));
  } catch (error) {
    if (error instanceof ServiceError && error.code === "nothing-to-commit") return;
    logger.warn("the changes of an execution could not be committed", { executionId, error });
  }
}

async function toMessage({ storage }: Pick<HostedContext, "storage">, { taskId }: Attempt, id: ExecutionId): Promise<string> {
  const content = (await findOwnMessage(storage.read, { id }))?.body.content ?? "";
  const text = typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("\n");
  return toTaskTitle(text) || (await storage.read.findTask({ id: taskId }))?.title || "Changes";
}
