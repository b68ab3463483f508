import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RealServer } from "./real-server.ts";
import { newRepository } from "./repository.ts";

/**
 * An attempt with that many protocol and conversation messages, each with a text of `textLength`. Rows bypass the storage
 * port and are inserted by SQLite alone, which takes a second for 100,000. Stops the server first and starts it afterwards.
 */
export async function storeManyMessages(
  server: RealServer,
  { messages, textLength, agent = "native" }: { messages: number; textLength: number; agent?: string },
): Promise<{ taskId: string; attemptId: string }> {
  const project = await server.api.createProject(newRepository());
  const task = await server.api.createTask(project.id, "A long conversation");
  const { id: attemptId } = await server.api.createAttempt(task.id, { isolation: "in-place", agent });
  await server.stop();
  const database = new DatabaseSync(join(server.home, "skein.db"));
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${messages})`;
  const executionId = "exe_00000000000000000000000001";
  const role = "iif(n % 2 = 1, 'user', 'assistant')";
  const id = "printf('msg_%026d', n)";
  const text = `'Message ' || n || ' 消息 ' || '${"word ".repeat(Math.ceil(textLength / 5)).slice(0, textLength)}'`;
  const shown = `json_object('id', ${id}, 'role', ${role}, 'messageType', 'text', 'content', ${text}, 'timestamp', n, 'revision', 1,
    'metadata', json_object('executionId', '${executionId}'))`;
  database.exec(`
    BEGIN;
    INSERT INTO executions (id, task_id, attempt_id, number, status, started_at, ended_at, duration_ms, exit_code, usage)
      VALUES ('${executionId}', '${task.id}', '${attemptId}', 1, 'success', 1, 2, 1, 0, '{}');
    ${numbers} INSERT INTO messages (id, attempt_id, execution_id, position, body, tokens, created_at)
      SELECT ${id}, '${attemptId}', '${executionId}', n, json_object('role', ${role}, 'content', ${text}), 10, n FROM numbers;
    ${numbers} INSERT INTO conversation_messages (attempt_id, execution_id, id, position, revision, timestamp, body)
      SELECT '${attemptId}', '${executionId}', ${id}, n, 1, n, ${shown} FROM numbers;
    COMMIT;
  `);
  database.close();
  await server.start();
  return { taskId: task.id, attemptId };
}
