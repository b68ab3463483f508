import { DatabaseSync } from "node:sqlite";
import { createId } from "@skein/contracts";
import { openSqliteStorage } from "@skein/storage";
import { toPartName, toPartNumber } from "../../packages/storage/src/search/full-text-index.ts";
import { toIndexedText } from "../../packages/storage/src/search/indexed-text.ts";
import { toPartDefinition } from "../../packages/storage/src/sqlite/sqlite-full-text-index.ts";
import { createRandom, createTexts } from "./texts.mjs";

const messagesPerExecution = 25;
const agents = ["claude-code", "codex", "native", "gemini"];
const statuses = ["todo", "in-progress", "in-review", "done", "done", "done"];
const minuteMs = 60_000;
const messageMs = 2000;

/**
 * A database with `messages` conversation messages, about as many protocol messages and events, in the product's own schema. Most
 * tasks have about `messagesPerTask` messages; one attempt (`long`) has a tenth of all, and some tasks are the same in a database of any size:
 * `probes`, of `probeSize` messages each, each with one attempt. Rows are inserted past the storage port, which would take an hour.
 */
export async function createDatabase({
  file,
  messages,
  repository,
  probes = 4,
  probeSize = 1000,
  messagesPerTask = 200,
  projectCount = 4,
}) {
  const storage = await openSqliteStorage({ file });
  await storage.close();
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -400000; BEGIN;");
  // as in a database of this release from the start
  database.exec("DELETE FROM search_backlog; DROP TABLE conversation_search;");
  const rows = createRows(database, {
    repository,
    projectCount,
    random: createRandom(7),
    startAt: Date.now() - (messages / messagesPerTask) * 30 * minuteMs,
  });
  const result = { probes: [], long: undefined };
  let left = messages - probes * probeSize - messages / 10;
  result.long = rows.addTask({ title: "The long conversation", project: 0, sizes: [messages / 10] });
  for (let task = 0; left > 0; task++) {
    const size = Math.min(left, Math.ceil(messagesPerTask * (0.2 + rows.random() * 1.6)));
    rows.addTask({ sizes: task % 5 === 0 && size > 20 ? [Math.floor(size / 3), size - Math.floor(size / 3)] : [size] });
    left -= size;
  }
  // the newest: first in every list that is sorted by last use
  for (let probe = 1; probe <= probes; probe++)
    result.probes.push(rows.addTask({ title: `Probe ${probe}`, project: 0, sizes: [probeSize] }));
  database.exec("COMMIT; PRAGMA journal_mode = WAL;");
  database.close();
  return { ...result, projects: rows.projects };
}

function createRows(database, { repository, projectCount, random, startAt }) {
  const texts = createTexts(random);
  const insert = (table, columns) => {
    const statement = database.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`);
    return (row) => statement.run(...columns.map((column) => row[column] ?? null)).lastInsertRowid;
  };
  const insertProject = insert("projects", ["id", "name", "path", "created_at", "updated_at"]);
  const insertTask = insert("tasks", "id project_id title description status priority tags position created_at updated_at".split(" "));
  const insertAttempt = insert(
    "attempts",
    "id task_id number agent permission_mode isolation directory active created_at updated_at".split(" "),
  );
  const insertExecution = insert(
    "executions",
    "id task_id attempt_id number status started_at ended_at duration_ms exit_code usage".split(" "),
  );
  const insertMessage = insert("messages", "id attempt_id execution_id position body tokens created_at".split(" "));
  const insertShown = insert("conversation_messages", "attempt_id execution_id id position revision timestamp body".split(" "));
  const insertWords = new Map();
  const insertSearch = (row) => {
    const part = toPartNumber(Number(row.rowid));
    if (!insertWords.has(part)) {
      database.exec(`${toPartDefinition(toPartName(part))}; INSERT INTO search_parts VALUES (${part})`);
      insertWords.set(part, insert(toPartName(part), ["rowid", "text"]));
    }
    insertWords.get(part)(row);
  };
  const insertEvent = insert("events", "type project_id task_id attempt_id execution_id message_id revision data at".split(" "));

  let at = startAt;
  const projects = Array.from({ length: projectCount }, (_, index) => {
    const id = createId("prj", at);
    // the first one is real: attempts can be made in it
    insertProject({
      id,
      name: `Project ${index + 1}`,
      path: index === 0 ? repository : `${repository}-${index + 1}`,
      created_at: at,
      updated_at: at,
    });
    insertEvent({ type: "project:created", project_id: id, at });
    return id;
  });
  let tasks = 0;

  function addTask({ title = texts.title(), project = texts.number(projectCount), sizes }) {
    tasks += 1;
    at += minuteMs;
    const id = createId("tsk", at);
    const projectId = projects[project];
    const dates = { created_at: at, updated_at: at };
    const description = random() < 0.5 ? texts.said() : "";
    insertTask({
      id,
      project_id: projectId,
      title,
      description,
      status: texts.pick(statuses),
      priority: "none",
      tags: "[]",
      position: tasks,
      ...dates,
    });
    insertEvent({ type: "task:created", task_id: id, at });
    const attempts = sizes.map((size, index) => addAttempt({ taskId: id, number: index + 1, size, active: index === sizes.length - 1 }));
    return { id, projectId, attemptId: attempts.at(-1), messages: sizes.at(-1) };
  }

  function addAttempt({ taskId, number, size, active }) {
    const id = createId("att", at);
    insertAttempt({
      ...{ id, task_id: taskId, number, agent: texts.pick(agents), permission_mode: "ask", isolation: "in-place", directory: repository },
      ...{ active: active ? 1 : 0, created_at: at, updated_at: at },
    });
    insertEvent({ type: "task:attempt-created", task_id: taskId, attempt_id: id, at });
    const ids = { task_id: taskId, attempt_id: id };
    for (let position = 0, execution = 1; position < size; execution++) {
      const count = Math.min(size - position, messagesPerExecution);
      addExecution(ids, { number: execution, position, count });
      position += count;
    }
    return id;
  }

  function addExecution(ids, { number, position, count }) {
    const execution_id = createId("exe", at);
    const startedAt = at;
    insertEvent({ type: "execution:started", ...ids, execution_id, at });
    const endedAt = at + count * messageMs;
    const usage = { inputTokens: 20_000 + texts.number(50_000), outputTokens: texts.number(4000), costUsd: texts.number(100) / 100 };
    insertExecution({
      ...{ id: execution_id, ...ids, number, status: random() < 0.9 ? "success" : "failed", started_at: startedAt, ended_at: endedAt },
      ...{ duration_ms: endedAt - startedAt, exit_code: 0, usage: JSON.stringify(usage) },
    });
    for (let index = 0; index < count; index++) {
      at += messageMs;
      addMessage({ ...ids, execution_id }, { isFirst: index === 0, place: position + index + 1, index });
    }
    insertEvent({ type: "execution:completed", ...ids, execution_id, at });
  }

  function addMessage({ task_id, attempt_id, execution_id }, { isFirst, place, index }) {
    const id = createId("msg", at);
    const said = texts.said();
    const shown = { id, role: isFirst ? "user" : "assistant", content: said, timestamp: at, revision: 1 };
    const owner = { attempt_id, execution_id };
    let text = said;
    let body;
    if (isFirst) {
      Object.assign(shown, { messageType: "text", metadata: { executionId: execution_id } });
      body = { role: "user", content: said };
    } else if (random() < 0.55) {
      const path = texts.file();
      const output = texts.output();
      const toolUseId = `toolu_${id.slice(4)}`;
      const details = { executionId: execution_id, toolName: "read", toolUseId, input: { path }, output, isError: false };
      const summary = { action: "read", subject: path, state: "completed" };
      Object.assign(shown, {
        ...{ content: `Read ${path}`, messageType: "tool_execution", revision: 2 },
        metadata: { ...details, state: "completed", durationMs: 12, summary },
      });
      text = `${shown.content}\n${output}`;
      body = { role: "tool", content: [{ type: "tool-result", toolCallId: toolUseId, toolName: "read", input: { path }, result: output }] };
    } else {
      Object.assign(shown, { messageType: random() < 0.2 ? "thinking" : "text", metadata: { executionId: execution_id } });
      body = { role: "assistant", content: said };
    }
    insertMessage({ id, ...owner, position: index, body: JSON.stringify(body), tokens: 100, created_at: at });
    const { revision } = shown;
    const rowid = insertShown({ ...owner, id, position: place, revision, timestamp: at, body: JSON.stringify(shown) });
    insertSearch({ rowid, text: toIndexedText(text) });
    insertEvent({ type: "message:added", task_id, attempt_id, message_id: id, revision, at });
  }

  return { projects, random, addTask };
}
