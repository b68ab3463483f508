import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildConversationMessage } from "@skein/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeBrowser, untilDrawn, visit } from "../support/browser.ts";
import { newPng } from "../support/png.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, bashUntilGo, newScriptedModel, type ScriptStep } from "../support/scripts.ts";
import { storeConversations } from "../support/stored-conversation.ts";

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index + 1}. ${"a sentence that is long enough to wrap, ".repeat(1 + (index % 5))}`).join(
    "\n\n",
  );

const answer = (name: string, content: string) => buildConversationMessage({ id: `msg_${name}`, content });
const table = `| a | b |\n|---|---|\n${"| one | two |\n".repeat(120)}`;
const image = { type: "image" as const, mediaType: "image/png" as const, data: newPng(300, 450, [200, 80, 40]).toString("base64") };

let server: RealServer;
let projectId = "";
let stored = { long: "", images: "", many: "" };

beforeAll(async () => {
  server = await startRealServer({ keep: true });
  projectId = (await server.api.createProject(newRepository("atlas"))).id;
  const [long = "", images = "", many = ""] = await storeConversations(server, [
    [answer("first", paragraphs(3)), answer("long", `${table}\n\nThe end.`)],
    [
      answer("above", paragraphs(20)),
      buildConversationMessage({ id: "msg_images", role: "user", content: "The end.", metadata: { images: [image, image, image] } }),
    ],
    [...Array.from({ length: 99 }, (_, index) => answer(`m${index}`, paragraphs(1 + (index % 7)))), answer("last", "The end.")],
  ]);
  stored = { long, images, many };
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const list = (page: Page) => page.getByRole("region", { name: "Conversation" });

const belowView = (page: Page): Promise<number> =>
  list(page).evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);

/** Once nothing moves any more: rows are measured in the frames after they are drawn. */
async function expectAtEnd(page: Page): Promise<void> {
  for (let frame = 0; frame < 10; frame++) await untilDrawn(page);
  expect(await list(page).evaluate((element) => element.scrollHeight - element.clientHeight)).toBeGreaterThan(100);
  // positions on a screen are whole pixels, heights are not
  expect(await belowView(page)).toBeLessThanOrEqual(1);
  expect(await page.getByRole("button", { name: "Go to the end" }).count()).toBe(0);
}

/** From its card on the board, and by its address; with reduced motion, and without. */
async function openBothWays(taskId: string, shows: (page: Page) => Promise<unknown>): Promise<void> {
  const { projectId } = await server.api.request<{ projectId: string }>("GET", `/api/tasks/${taskId}`);
  const { page, complaints } = await visit(server, { path: `/p/${projectId}` });
  for (const reducedMotion of ["reduce", "no-preference"] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.goto(`${server.url}/p/${projectId}`);
    await page.locator(`[data-task-id="${taskId}"]`).click();
    await shows(page);
    await expectAtEnd(page);
    await page.reload();
    await shows(page);
    await expectAtEnd(page);
  }
  expect(complaints).toEqual([]);
}

async function startTask(title: string, input: { steps: ScriptStep[]; permissionMode: "ask" | "full" }) {
  const task = await server.api.createTask(projectId, title);
  const attempt = await server.api.createAttempt(task.id, { model: newScriptedModel(input.steps), permissionMode: input.permissionMode });
  await server.api.send(task.id, title);
  return { taskId: task.id, folder: attempt.directory };
}

const untilTheEnd = (page: Page) => list(page).getByText("The end.").waitFor();

describe("a conversation opens at its very end", () => {
  test("with an approval that waits", async () => {
    const { taskId } = await startTask("Ask me", {
      steps: [{ text: paragraphs(30), toolCalls: [bash("rm -rf build")] }],
      permissionMode: "ask",
    });
    await openBothWays(taskId, (page) => page.getByText("cannot be undone").waitFor());
  });

  test("with an agent at work, and stays there when it has answered", async () => {
    const steps = [{ text: paragraphs(30), toolCalls: [bashUntilGo] }, { text: `${paragraphs(20)}\n\nThat is all.` }];
    const { taskId, folder } = await startTask("Work", { steps, permissionMode: "full" });
    const untilAtWork = (page: Page) => list(page).getByText("until [ -e go ]").first().waitFor();
    await openBothWays(taskId, untilAtWork);
    const { page } = await visit(server, { path: `/t/${taskId}` });
    await untilAtWork(page);
    await list(page).getByText("Working").waitFor();
    writeFileSync(join(folder, "go"), "");
    await page.getByText("That is all.").waitFor();
    await expectAtEnd(page);
  });

  test("with a last message far longer than its estimate", async () => {
    await openBothWays(stored.long, untilTheEnd);
  });

  test("with images, once they are loaded", async () => {
    await openBothWays(stored.images, async (page) => {
      await untilTheEnd(page);
      const widths = () =>
        list(page)
          .locator("img")
          .evaluateAll((images) => images.map((one) => ("naturalWidth" in one ? one.naturalWidth : 0)));
      await expect.poll(widths).toEqual([300, 300, 300]);
    });
  });

  test("with a hundred messages", async () => {
    await openBothWays(stored.many, untilTheEnd);
  });
});
