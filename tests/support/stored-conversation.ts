import type { AttemptId, ConversationMessage, ExecutionId, TaskId } from "@skein/contracts";
import { buildEndedExecution, buildExecution } from "@skein/testkit";
import type { RealServer } from "./real-server.ts";
import { newRepository } from "./repository.ts";
import { openStorageOf } from "./server-database.ts";

/** A task for each list of messages, as if an agent had produced them. Stops the server first and starts it afterwards. */
export async function storeConversations(
  server: RealServer,
  conversations: readonly (readonly ConversationMessage[])[],
): Promise<string[]> {
  const project = await server.api.createProject(newRepository());
  const made: { taskId: string; attemptId: AttemptId }[] = [];
  for (const index of conversations.keys()) {
    const task = await server.api.createTask(project.id, `Stored conversation ${index + 1}`);
    const attempt = await server.api.createAttempt(task.id, { isolation: "in-place" });
    made.push({ taskId: task.id, attemptId: attempt.id });
  }
  await server.stop();
  const storage = await openStorageOf(server);
  await storage.transaction(async (tx) => {
    for (const [index, messages] of conversations.entries()) {
      const attemptId = made[index]?.attemptId as AttemptId;
      const taskId = made[index]?.taskId as TaskId;
      const id = `exe_${String(index).padStart(26, "0")}` as ExecutionId;
      await tx.insertExecution(buildExecution({ id, attemptId, taskId }));
      await tx.putConversationMessages({ attemptId, executionId: id, messages });
      await tx.endExecution(buildEndedExecution({ id, attemptId, taskId }));
    }
  });
  await storage.close();
  await server.start();
  return made.map(({ taskId }) => taskId);
}
