import { DatabaseSync } from "node:sqlite";
import { permissionGrantSchema } from "@skein/contracts";
import { expect, it } from "vitest";
import { migrations } from "./migrations.ts";
import { permissionGrantsSchema } from "./permission-grants-schema.ts";

it("[X17] rules of earlier versions are all kept, each as what it may mean at most", () => {
  using database = new DatabaseSync(":memory:");
  for (const { version, sql } of migrations) if (version < 5) database.exec(sql);
  database.exec("PRAGMA foreign_keys = OFF");
  const rules: [tool: string, prefix: string | null][] = [
    ["bash", "git log"],
    ["Bash", 'npm "run" /x'],
    ["bash", null],
    ["write", null],
    ["Edit", null],
    ["file_change", null],
    ["web_fetch", null],
    ["mcp__docs__find", null],
    ["WebFetch(domain:example.com)", null],
  ];
  const insertRule = database.prepare("INSERT INTO permission_rules VALUES (?, 'prj', ?, ?, 1)");
  for (const [index, [tool, prefix]] of rules.entries()) insertRule.run(`rul_${index}`, tool, prefix);
  const insertApproval = database.prepare(
    "INSERT INTO approvals (id, task_id, attempt_id, execution_id, tool_use_id, tool_name, input, permission_grant, requested_at, status, decision, resolved_at) VALUES (?, 't', 'a', 'e', ?, 'bash', '{}', ?, 1, ?, ?, ?)",
  );
  const old = JSON.stringify({ tool: "bash", commandPrefix: "git log" });
  insertApproval.run("apr_1", "u1", old, "answered", "allow-always", 2);
  insertApproval.run("apr_2", "u2", old, "pending", null, null);
  insertApproval.run("apr_3", "u3", null, "expired", null, 2);

  database.exec(permissionGrantsSchema);

  const listGrants = (table: string) =>
    database
      .prepare(`SELECT permission_grant FROM ${table} ORDER BY id`)
      .all()
      .map(({ permission_grant: grant }) => (grant === null ? null : permissionGrantSchema.parse(JSON.parse(String(grant)))));
  expect(listGrants("permission_rules")).toEqual([
    { type: "read-only-command", tool: "bash", program: "git log" },
    { type: "read-only-command", tool: "Bash", program: 'npm "run" /x' },
    { type: "tool", tool: "bash" },
    { type: "edits", tool: "write" },
    { type: "edits", tool: "Edit" },
    { type: "edits", tool: "file_change" },
    { type: "tool", tool: "web_fetch" },
    { type: "tool", tool: "mcp__docs__find" },
    { type: "tool", tool: "WebFetch(domain:example.com)" },
  ]);
  expect(listGrants("approvals")).toEqual([{ type: "read-only-command", tool: "bash", program: "git log" }, null, null]);
  expect(() => database.exec("UPDATE approvals SET reason = 'x' WHERE id = 'apr_1'")).toThrow("does not change");
});
