import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { initialSchema } from "./initial-schema.ts";

let database: DatabaseSync;

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  database.exec(initialSchema);
  database.exec(`
    INSERT INTO projects VALUES ('prj', 'Project', '/project', 1, 1);
    INSERT INTO tasks VALUES ('tsk', 'prj', 'Task', '', 'todo', 'none', '[]', 1, 1, 1);
    INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
      VALUES ('att', 'tsk', 1, 'native', 'full', 'in-place', '/project', 1, 1, 1), ('at2', 'tsk', 2, 'native', 'full', 'in-place', '/project', 0, 1, 1);
    INSERT INTO executions (id, task_id, attempt_id, number, status, started_at) VALUES ('exe', 'tsk', 'att', 1, 'running', 1);
    INSERT INTO approvals (id, task_id, attempt_id, execution_id, tool_use_id, tool_name, input, requested_at, status)
      VALUES ('apr', 'tsk', 'att', 'exe', 'use', 'Bash', '{}', 1, 'pending');
  `);
});
afterEach(() => database.close());

const endExecution = "UPDATE executions SET status = 'success', ended_at = 2, duration_ms = 1, usage = '{}' WHERE id = 'exe'";
const answerApproval = "UPDATE approvals SET status = 'answered', decision = 'deny', resolved_at = 2 WHERE id = 'apr'";

describe("constraints of the schema", () => {
  it.each([
    ["[E1] a second active attempt", "UPDATE attempts SET active = 1 WHERE id = 'at2'"],
    [
      "[E1] a second running execution",
      "INSERT INTO executions (id, task_id, attempt_id, number, status, started_at) VALUES ('ex2', 'tsk', 'att', 2, 'running', 1)",
    ],
    ["[E1] an execution of an attempt of another task", "UPDATE executions SET task_id = 'other' WHERE id = 'exe'"],
    ["an end without its time", "UPDATE executions SET status = 'success' WHERE id = 'exe'"],
    ["an unknown status of a task", "UPDATE tasks SET status = 'paused'"],
    ["an unknown status of an execution", "UPDATE executions SET status = 'sleeping', ended_at = 2, duration_ms = 1, usage = '{}'"],
    ["tags that are no JSON", "UPDATE tasks SET tags = 'a, b'"],
    ["a text where a number belongs", "UPDATE tasks SET created_at = 'yesterday'"],
    ["[E10] an answer without a decision", "UPDATE approvals SET status = 'answered', resolved_at = 2"],
    ["a conversation message of revision 0", "INSERT INTO conversation_messages VALUES (1, 'att', 'exe', 'msg', 1, 0, 1, '{}')"],
    [
      "a conversation message of another attempt's execution",
      "INSERT INTO conversation_messages VALUES (1, 'at2', 'exe', 'msg', 1, 1, 1, '{}')",
    ],
  ])("%s is rejected", (_rule, statement) => {
    expect(() => database.exec(statement)).toThrow(/constraint failed|cannot store/);
  });

  it("[E5] an execution that has ended neither runs again nor ends again", () => {
    database.exec(endExecution);
    const runAgain = "UPDATE executions SET status = 'running', ended_at = NULL, duration_ms = NULL, usage = NULL WHERE id = 'exe'";
    expect(() => database.exec(runAgain)).toThrow("does not change");
    expect(() => database.exec(endExecution.replace("success", "failed"))).toThrow("does not change");
  });

  it("[E10] an approval that was resolved does not change", () => {
    database.exec(answerApproval);
    expect(() => database.exec(answerApproval.replace("deny", "allow"))).toThrow("does not change");
  });

  it("[E6] a sequence number is not given twice, also when its event is gone", () => {
    const append = "INSERT INTO events (type, at) VALUES ('project:deleted', 1) RETURNING seq";
    const first = database.prepare(append).get()?.seq;
    database.exec("DELETE FROM events");
    expect(database.prepare(append).get()?.seq).toBe(Number(first) + 1);
  });
});
