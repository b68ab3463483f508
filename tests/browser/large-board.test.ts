import type { Task } from "@skein/contracts";
import { afterAll, expect, test } from "vitest";
import { closeBrowser, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";

afterAll(closeBrowser);

test("a board of a thousand tasks draws only what is near the screen, and the rest when one comes to it", async () => {
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository("atlas"));
  for (let from = 0; from < 1000; from += 100) {
    const numbers = Array.from({ length: 100 }, (_, index) => from + index);
    await Promise.all(
      numbers.map((number) =>
        server.api.request<Task>("POST", "/api/tasks", { projectId: project.id, title: `Task ${number}`, position: number }),
      ),
    );
  }
  const { page, complaints } = await visit(server, { path: `/p/${project.id}` });
  const cards = page.locator("[data-task-id]");
  await cards.first().waitFor();
  const drawn = await cards.count();
  expect(drawn).toBeLessThan(200);
  await page.keyboard.press("j");
  for (let step = 0; step < 120; step++) await page.keyboard.press("j");
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Task 120");
  expect(await cards.count()).toBeGreaterThan(drawn);
  await page.getByRole("searchbox").fill("Task 987");
  await expect.poll(() => cards.allInnerTexts()).toEqual(["Task 987"]);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: /Show as a list/ }).click();
  await page.getByRole("table").waitFor();
  expect(await page.locator("tbody tr").count()).toBeLessThan(300);
  expect(complaints).toEqual([]);
});
