/*
 * Commits messages one by one and prints the number of each after its commit is reported. Ends only when a commit fails, with the kind
 * of failure as its last line.
 */
import { buildAttempt, buildConversationMessage, buildExecution, buildProject, buildStoredMessage, buildTask, testId } from "@skein/testkit/builders";
import { StorageUnavailableError } from "../../errors.ts";
import { openSqliteStorage } from "../open-sqlite-storage.ts";

const [file = "", size = "100"] = process.argv.slice(2);
const storage = await openSqliteStorage({ file });
const attempt = buildAttempt();
const execution = buildExecution();
const ofAttempt = { attemptId: attempt.id, taskId: attempt.taskId };

if (!(await storage.read.findAttempt({ id: attempt.id }))) {
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertTask(buildTask());
    await tx.insertAttempt(attempt);
    await tx.insertExecution(execution);
  });
}

const { offset } = await storage.read.getIngestPosition({ executionId: execution.id });
try {
  for (let number = offset + 1; ; number++) {
    const message = buildConversationMessage({ id: testId("msg", number), content: "x".repeat(Number(size)) });
    await storage.transaction(async (tx) => {
      await tx.putMessages([buildStoredMessage({ id: testId("msg", number), position: number })]);
      await tx.putConversationMessages({ attemptId: attempt.id, executionId: execution.id, messages: [message] });
      await tx.setIngestPosition({ executionId: execution.id, offset: number, ingestState: null, entries: [] });
      await tx.appendEvent({ type: "message:added", ...ofAttempt, message }, number);
    });
    process.stdout.write(`${number}\n`);
  }
} catch (error) {
  process.stdout.write(error instanceof StorageUnavailableError ? `refused: ${error.failure}\n` : `broken: ${error}\n`);
}
