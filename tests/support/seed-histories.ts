import type { Attempt, MessageBody, MessageId, StoredMessage, TaskId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { RealServer } from "./real-server.ts";
import { newScriptedModel } from "./scripts.ts";
import { openStorageOf } from "./server-database.ts";

/** Messages of a history. */
export const user = (content: string): MessageBody => ({ role: "user", content });
export const said = (content: string): MessageBody => ({ role: "assistant", content });
export const call = (id: string, name = "read"): MessageBody => ({
  role: "assistant",
  content: `I use ${name}.`,
  toolCalls: [{ id, type: "function", function: { name, arguments: JSON.stringify({ path: `src/${id}.ts` }) } }],
});
export const result = (toolCallId: string, text = `content of ${toolCallId}`): MessageBody => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "read", input: { path: `src/${toolCallId}.ts` }, result: text }],
});

interface Seeded {
  taskId: TaskId;
  attempt: Attempt;
  messages: StoredMessage[];
}

/** Attempts of a project whose histories were written by an earlier server: anything may be in them. */
export async function seed(
  { server, projectId }: { server: RealServer; projectId: string },
  histories: Record<string, readonly MessageBody[]>,
  more?: (name: string, seeded: Seeded) => Promise<Change[]>,
): Promise<Record<string, Seeded>> {
  const seeded: Record<string, Seeded> = {};
  for (const name of Object.keys(histories)) {
    const task = await server.api.createTask(projectId, name);
    const attempt = await server.api.createAttempt(task.id, { model: newScriptedModel([{ text: "Hello." }]) });
    seeded[name] = { taskId: task.id, attempt, messages: [] };
  }
  await server.stop();
  const storage = await openStorageOf(server);
  for (const [name, one] of Object.entries(seeded)) {
    // a test that is retried seeds the same database again
    const unique = one.attempt.id.slice(-8);
    const executionId = `exe_${name}_${unique}` as StoredMessage["executionId"];
    const ids = { id: executionId, taskId: one.taskId, attemptId: one.attempt.id, number: 1, startedAt: 1000 };
    one.messages = (histories[name] ?? []).map((body, position) => ({
      id: `msg_${name}_${unique}_${position}` as MessageId,
      attemptId: one.attempt.id,
      executionId,
      position,
      body,
      createdAt: 1000 + position,
      ...(body.role === "assistant" ? { model: "anthropic/claude-sonnet-5" } : {}),
    }));
    const changes = (await more?.(name, one)) ?? [];
    await storage.transaction(async (tx) => {
      await tx.insertExecution({ ...ids, status: "running" });
      await tx.putMessages(one.messages);
      await tx.endExecution({
        ...ids,
        status: "success",
        endedAt: 2000,
        durationMs: 1000,
        exitCode: 0,
        reason: null,
        code: null,
        usage: {},
      });
      for (const change of changes) await tx.saveCompression({ attemptId: one.attempt.id, at: 3000, ...change });
    });
  }
  await storage.close();
  await server.start();
  return seeded;
}
type Change = Omit<Parameters<Parameters<Parameters<Storage["transaction"]>[0]>[0]["saveCompression"]>[0], "attemptId" | "at">;
