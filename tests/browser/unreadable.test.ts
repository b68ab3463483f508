import { afterAll, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";

afterAll(closeBrowser);

const toStream = (...events: { type: string; data: unknown }[]): string =>
  events.map(({ type, data }, index) => `id: ${index + 1}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`).join("");

test("an answer that does not fit is an error with its route and field, not an empty page", async () => {
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository());
  const task = await server.api.createTask(project.id, "Say something");
  const { page } = await visit(server, { path: "/icon.svg" });
  // without the first data, every part is loaded by its own request
  await page.route(/\/overview(?:\?|$)/, (route) => route.abort());
  await page.route(`**/api/tasks/${task.id}`, (route) => route.fulfill({ json: { ...task, title: 7 } }));
  await page.goto(`${server.url}/t/${task.id}`);
  await page.getByText(`GET /api/tasks/${task.id}: title`).waitFor();
  await page.unroute(`**/api/tasks/${task.id}`);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Say something" }).waitFor();
});

test("an event that does not fit is named in a banner; one that only a newer server knows is ignored", async () => {
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository());
  const { page } = await visit(server, { path: "/icon.svg" });
  let events = toStream({ type: "weather:changed", data: { sun: true } });
  await page.route("**/api/events?*", (route) => route.fulfill({ contentType: "text/event-stream", body: events }));
  await page.goto(`${server.url}/p/${project.id}`);
  await page.getByRole("button", { name: "New task" }).first().waitFor();
  expect(await page.getByText("This page cannot read").count()).toBe(0);
  events = toStream({ type: "project:deleted", data: { type: "project:deleted", projectId: 7 } });
  await page.getByRole("alert").getByText("project:deleted: projectId").waitFor();
  await expectAccessible(page);
});
