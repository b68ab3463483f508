import type { Attempt, AttemptDiff } from "@skein/contracts";
import { commitMessageInstructions, createConcurrencyLimit, formatCommitQuestion, ServiceError, toCommitMessage } from "@skein/engine";
import type { BranchService } from "./change-services.ts";
import { getAttempt, getTask } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

/** Commit messages by a model, each only on request: a part of the diff is sent to the model's provider. */
export function createCommitMessageService(
  { storage, agents, host, home, redact }: ServiceContext,
  readUncommitted: (attempt: Attempt) => Promise<AttemptDiff>,
): Pick<BranchService, "messageModel" | "suggestMessage"> {
  // each question is a process
  const limit = createConcurrencyLimit(2);
  const findQuestions = () => agents.find("native")?.questions;

  return {
    async messageModel(id) {
      return { model: (await findQuestions()?.findModel(await getAttempt(storage.read, id))) ?? null };
    },
    async suggestMessage(id, { paths, model: shown }) {
      const attempt = await getAttempt(storage.read, id);
      const questions = findQuestions();
      const model = await questions?.findModel(attempt);
      if (questions === undefined || model === undefined) throw new ServiceError("conflict", { code: "no-message-model" });
      if (shown !== undefined && shown !== model) throw new ServiceError("conflict", { code: "message-model-changed", model });
      const { files } = await readUncommitted(attempt);
      const wanted = paths && new Set(paths);
      const chosen = wanted ? files.filter(({ filePath }) => wanted.has(filePath)) : files;
      if (chosen.length === 0) throw new ServiceError("conflict", { code: "nothing-to-commit" });
      const { title } = await getTask(storage.read, attempt.taskId);
      const question = formatCommitQuestion({ title, files: chosen, redact });
      const launch = questions.createLaunch({
        ...{ model, question, instructions: commitMessageInstructions },
        // on the server, which has the key: the question needs no files
        ...{ directory: home, environment: host.environment },
      });
      const answer = await limit(() => host.executions.runQuestion(launch));
      if (!answer.ok) throw new ServiceError("unavailable", { code: "commit-message-failed", model, reason: answer.reason });
      const message = toCommitMessage(answer.text);
      if (message === "")
        throw new ServiceError("unavailable", { code: "commit-message-failed", model, reason: { code: "answer-broke-off" } });
      return { message, model };
    },
  };
}
