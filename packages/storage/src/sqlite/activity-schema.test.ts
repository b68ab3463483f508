import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { activitySchema } from "./activity-schema.ts";
import { migrations } from "./migrations.ts";

it("[Q16] tools that ran when the database was migrated are found as running, and nothing else is", () => {
  using database = new DatabaseSync(":memory:");
  for (const { version, sql } of migrations) if (version < 3) database.exec(sql);
  database.exec("PRAGMA foreign_keys = OFF");
  const insert = database.prepare("INSERT INTO conversation_messages VALUES (NULL, 'att', 'exe', ?, ?, 1, 1, ?)");
  const put = (position: number, body: unknown) => insert.run(`msg_${position}`, position, JSON.stringify(body));
  put(1, { messageType: "tool_execution", metadata: { state: "running", summary: "Running npm test" } });
  put(2, { messageType: "tool_execution", metadata: { state: "completed", summary: "Ran ls" } });
  put(3, { messageType: "text", content: "running" });
  database.exec(activitySchema);
  const found = database.prepare("SELECT id, running_tool FROM conversation_messages WHERE running_tool IS NOT NULL").all();
  expect(found.map((row) => ({ ...row }))).toEqual([{ id: "msg_1", running_tool: "Running npm test" }]);
});
