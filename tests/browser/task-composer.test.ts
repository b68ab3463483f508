import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { QueueState } from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { git, newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

let server: RealServer;
let projectId = "";

beforeAll(async () => {
  server = await startRealServer({ keep: true });
  const repository = newRepository("atlas");
  for (const path of ["src/map/tiles.ts", "src/map/title.ts", ".claude/commands/review.md"]) {
    mkdirSync(join(repository, path, ".."), { recursive: true });
    writeFileSync(join(repository, path), path.endsWith(".md") ? "---\ndescription: Review the change\n---\nReview it.\n" : "export {};\n");
  }
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "map");
  projectId = (await server.api.createProject(repository)).id;
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

describe("writing a message", () => {
  test("files and commands are completed, before the first attempt too; sent messages come back", async () => {
    const task = await server.api.createTask(projectId, "Draw the map");
    const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
    const field = page.getByRole("textbox", { name: "Message", exact: true });
    await field.pressSequentially("look at @til");
    await page.getByRole("option", { name: /tiles\.ts/ }).waitFor();
    await keepScreenshot(page, "task-composer-files");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("look at @src/map/tiles.ts ");

    // a folder completes to its contents; Escape leaves the text as it is
    await field.fill("");
    await field.pressSequentially("@src/m");
    await page.getByRole("option", { name: /^map\// }).waitFor();
    await field.press("Tab");
    await page.getByRole("option", { name: /title\.ts/ }).waitFor();
    await field.press("Escape");
    expect(await page.getByRole("listbox").count()).toBe(0);

    await field.fill("");
    await field.pressSequentially("/");
    await page.getByRole("option", { name: /\/review.*Review the change/ }).waitFor();
    await page.getByRole("option", { name: /\/compact/ }).waitFor();
    await keepScreenshot(page, "task-composer-commands");
    await field.pressSequentially("rev");
    await field.press("Enter");
    expect(await field.inputValue()).toBe("/review ");

    // the history of sent messages; the draft is kept
    await server.api.createAttempt(task.id, { model: newScriptedModel([{ text: "First." }, { text: "Second." }]) });
    const stream = await openEventStream(server.api);
    for (const message of ["The first message", "The second message"]) {
      const { executionId } = await server.api.send(task.id, message);
      await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    }
    stream.close();
    await page.getByText("The second message").waitFor();
    await field.fill("half a thought");
    await field.press("Home");
    await field.press("ArrowUp");
    expect(await field.inputValue()).toBe("The second message");
    await field.press("ArrowUp");
    expect(await field.inputValue()).toBe("The first message");
    await field.press("ArrowDown");
    await field.press("ArrowDown");
    expect(await field.inputValue()).toBe("half a thought");
    expect(complaints).toEqual([]);
  });

  test("[E4] queued messages are reordered by mouse: up, down, to the end, or cancelled", async () => {
    const task = await server.api.createTask(projectId, "Wait in line");
    await server.api.createAttempt(task.id, { model: newScriptedModel([{ toolCalls: [bash("sleep 60")] }, { text: "Done." }]) });
    await server.api.send(task.id, "Start");
    for (const message of ["one", "two", "three"]) await server.api.send(task.id, message);
    const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
    const rows = page.getByRole("region", { name: /messages queued/ }).getByRole("listitem");
    const row = (message: string) => rows.filter({ hasText: message });
    const order = async () =>
      (await server.api.request<QueueState>("GET", `/api/tasks/${task.id}/queue`)).queue.map(({ message }) => message).join(" ");
    const hold = async (message: string, over: string, half: "upper" | "lower") => {
      const grip = await row(message).getByRole("button", { name: /^Move/ }).boundingBox();
      const target = await row(over).boundingBox();
      if (!grip || !target) throw new Error("nothing waits");
      await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
      await page.mouse.down();
      await page.mouse.move(target.x + 60, target.y + target.height * (half === "upper" ? 0.2 : 0.8), { steps: 5 });
    };
    await row("three").waitFor();

    await hold("three", "one", "upper");
    await page.locator("[data-drop-line]").waitFor();
    await keepScreenshot(page, "task-composer-queue-drag");
    await page.mouse.up();
    await expect.poll(order).toBe("three one two");
    await expect.poll(() => page.locator("[data-drop-line]").count()).toBe(0);
    await expect.poll(() => rows.allInnerTexts()).toEqual(["three", "one", "two"]);

    await hold("three", "one", "lower");
    await page.mouse.up();
    await expect.poll(order).toBe("one three two");
    await expect.poll(() => rows.allInnerTexts()).toEqual(["one", "three", "two"]);

    await hold("one", "two", "lower");
    await page.mouse.up();
    await expect.poll(order).toBe("three two one");
    await expect.poll(() => rows.allInnerTexts()).toEqual(["three", "two", "one"]);

    // Escape puts it back, and stops nothing
    await hold("one", "three", "upper");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("[data-drop-line]").count()).toBe(0);
    await page.mouse.up();
    await hold("two", "two", "lower");
    await page.mouse.up();
    expect(await order()).toBe("three two one");
    expect(complaints).toEqual([]);
    await page.getByRole("button", { name: "Stop" }).click();
  });

  test("[E4] queued messages are reordered by key, and a dropped text file becomes part of the message", async () => {
    const task = await server.api.createTask(projectId, "Wait for it");
    await server.api.createAttempt(task.id, { model: newScriptedModel([{ toolCalls: [bash("sleep 60")] }, { text: "Done." }]) });
    await server.api.send(task.id, "Start");
    const { page } = await visit(server, { path: `/t/${task.id}` });
    const field = page.getByRole("textbox", { name: "Message", exact: true });
    await page.getByRole("button", { name: "Stop" }).waitFor();
    for (const message of ["one", "two", "three"]) {
      await field.fill(message);
      await field.press("Enter");
      await page.getByRole("listitem").filter({ hasText: message }).waitFor();
    }
    const order = async () =>
      (await server.api.request<QueueState>("GET", `/api/tasks/${task.id}/queue`)).queue.map(({ message }) => message).join(" ");
    await keepScreenshot(page, "task-composer-queue");
    await page.getByRole("listitem").filter({ hasText: "three" }).getByRole("button", { name: /^Move/ }).press("ArrowUp");
    await expect.poll(order).toBe("one three two");
    const shown = async () =>
      (
        await page
          .getByRole("region", { name: /messages queued/ })
          .getByRole("listitem")
          .allInnerTexts()
      ).join(" ");
    await expect.poll(shown).toBe("one three two");
    await page.getByRole("listitem").filter({ hasText: "one" }).getByRole("button", { name: /^Move/ }).press("ArrowDown");
    await expect.poll(order).toBe("three one two");

    const drop = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(["line of a log\\n"], "build.log", { type: "text/plain" }));
      return data;
    })()`);
    await field.dispatchEvent("drop", { dataTransfer: drop });
    await expect.poll(() => field.inputValue()).toBe("build.log:\n```\nline of a log\n```\n");
    await page.getByRole("button", { name: "Stop" }).click();
  });
});
