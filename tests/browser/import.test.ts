import type { TaskSummary } from "@skein/contracts";
import { afterAll, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, visit } from "../support/browser.ts";
import { newUserHome, runImport } from "../support/imported-sessions.ts";
import { startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";

afterAll(closeBrowser);

test("[I1, I3] the page shows what was found, imports what is chosen, and opens it", async () => {
  const user = newUserHome("claude-code", "codex");
  const server = await startRealServer({ environment: { HOME: user.home } });
  const { page, complaints } = await visit(server, { path: "/import" });
  await page.getByRole("heading", { name: "Claude Code" }).waitFor();
  await page.getByText("2 sessions, ").waitFor();
  await expectAccessible(page);
  await page.getByLabel("All new sessions of Codex").uncheck();
  await page.getByText("1 session, ").waitFor();
  await page.getByRole("button", { name: "Import", exact: true }).press("Enter");
  await page.getByText("1 imported, 0 updated").waitFor();
  await page.getByText("Imported", { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open: Look at a.txt and change it" }).click();
  await page.getByText("Done: a.txt has three lines.").first().waitFor();
  expect(complaints).toEqual([]);
});

test("[I4, I3] an attempt that was exported as JSON is imported from a file", async () => {
  const user = newUserHome("codex");
  const server = await startRealServer({ environment: { HOME: user.home } });
  await runImport(server, { source: "codex" });
  const [task] = await server.api.request<TaskSummary[]>("GET", "/api/tasks?archived=all");
  const exported = await fetch(`${server.url}/api/attempts/${task?.activeAttemptId}/export`, { headers: server.api.headers });
  const buffer = Buffer.from(await exported.arrayBuffer());
  const project = await server.api.createProject(newRepository("other"));

  const { page, complaints } = await visit(server);
  await page.goto(`${server.url}/import`);
  await page.getByRole("combobox", { name: "Project" }).click();
  await page.getByRole("option", { name: project.name }).click();
  await expectAccessible(page);
  const choose = page.getByLabel("Choose a file…").and(page.locator("input"));
  await choose.setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from('{"notes": []}') });
  await page.getByText("This file is not an exported attempt.").waitFor();
  await choose.setInputFiles({ name: "attempt.json", mimeType: "application/json", buffer });
  await page.getByText("1 imported, 0 updated").waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open", exact: true }).click();
  await page.getByText("Look at a.txt and change it").first().waitFor();
  const imported = await server.api.request<TaskSummary[]>("GET", `/api/tasks?projectId=${project.id}`);
  expect(imported).toMatchObject([{ title: task?.title, projectId: project.id }]);
  // the refused file
  expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
});
