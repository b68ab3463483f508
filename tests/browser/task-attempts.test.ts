import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, Review } from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";
import { bash, newScriptedModel, type ScriptStep } from "../support/scripts.ts";

const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });

let server: RealServer;
let taskId = "";
const attempts: Attempt[] = [];

beforeAll(async () => {
  server = await startRealServer({ keep: true });
  const project = await server.api.createProject(newRepository("atlas"));
  taskId = (await server.api.createTask(project.id, "Greet in two ways")).id;
  const stream = await openEventStream(server.api);
  const tries: ScriptStep[][] = [
    [{ toolCalls: [write("hello.js", "export const hello = 1;\n"), write("same.txt", "same\n"), bash("exit 2")] }, { text: "One way." }],
    [{ toolCalls: [write("hello.js", "export const hello = 2;\n"), write("same.txt", "same\n"), bash("true")] }, { text: "Another way." }],
  ];
  for (const steps of tries) {
    attempts.push(await server.api.createAttempt(taskId, { model: newScriptedModel(steps) }));
    const { executionId } = await server.api.send(taskId, "Greet");
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  }
  stream.close();
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

describe("several attempts", () => {
  test("[E1, G1] their tabs show the state of each; they can be compared and reviewed side by side, and one made active", async () => {
    await server.api.request("POST", `/api/attempts/${attempts[1]?.id}/activate`);
    const { page, complaints } = await visit(server, { path: `/t/${taskId}`, viewport: { width: 1400, height: 900 } });
    const tab = page.locator(`[data-attempt-id="${attempts[1]?.id}"]`);
    await tab.waitFor();
    expect(await tab.getAttribute("data-state")).toBe("success");
    await tab.getByText("+2").waitFor();
    await keepScreenshot(page, "task-attempt-tabs");

    await page.getByRole("link", { name: "Compare" }).click();
    await page.getByRole("rowheader", { name: "hello.js" }).waitFor();
    const row = page.locator('tr[data-file="same.txt"]');
    await expect.poll(() => row.getByText("the same in all").count()).toBe(2);
    await page.getByText("1 failed").waitFor();
    await page.getByRole("button", { name: "hello.js" }).press("Enter");
    await page.getByText("hello = 2").first().waitFor();
    await page.getByRole("button", { name: /1 failed/ }).click();
    await page.getByText("Exit code 2").waitFor();
    await keepScreenshot(page, "task-compare");
    await expectAccessible(page);

    // a review of either attempt, with the components of the Changes pane
    const column = (index: number) => page.locator(`tr[data-sides="hello.js"] > td`).nth(index + 1);
    await column(1).locator("tr[data-new='1']").hover();
    await column(1).getByRole("button", { name: "Comment on line 1" }).click();
    await page.getByRole("textbox", { name: "Comment on line 1", exact: true }).fill("Why two?");
    await page.keyboard.press("Control+Enter");
    await column(1).locator("[data-comment=draft]").waitFor();
    expect(await column(0).locator("[data-comment]").count()).toBe(0);
    await page.locator('tr[data-file="same.txt"]').getByRole("button", { name: "Comment on the file" }).first().click();
    await page.getByRole("textbox", { name: "Comment on the file", exact: true }).fill("Not needed.");
    await page.keyboard.press("Control+Enter");
    const review = page.getByRole("row", { name: /^Review/ });
    await review.getByRole("button", { name: "Comment on the whole attempt" }).first().click();
    await page.getByRole("textbox", { name: "Comment on the whole attempt", exact: true }).fill("Prefer this one.");
    await page.keyboard.press("Control+Enter");
    await review.getByText("Prefer this one.").waitFor();
    await expect
      .poll(() => review.getByRole("button", { name: /^Send review/ }).allInnerTexts())
      .toEqual(["Send review (2)", "Send review (1)"]);
    await keepScreenshot(page, "task-compare-review");
    await expectAccessible(page);
    const comments = async (index: number) => {
      const { comments: found } = await server.api.request<Review>("GET", `/api/attempts/${attempts[index]?.id}/comments`);
      return found.map(({ body, state }) => [body, state]);
    };
    expect([await comments(0), await comments(1)]).toEqual([
      [
        ["Not needed.", "draft"],
        ["Prefer this one.", "draft"],
      ],
      [["Why two?", "draft"]],
    ]);

    await page.getByRole("button", { name: "Make active" }).click();
    await expect.poll(async () => (await server.api.getTask(taskId)).activeAttemptId).toBe(attempts[0]?.id);
    await expect.poll(() => page.getByRole("button", { name: "Make active" }).count()).toBe(1);

    // the address names them; one can be left out
    await page.getByRole("checkbox", { name: /#2/ }).uncheck();
    await expect.poll(() => page.url()).toContain(`attempts=${attempts[0]?.id}`);
    await review.getByRole("button", { name: "Send review (2)" }).click();
    await page.getByText("Review sent with 2 comments.").waitFor();
    await expect
      .poll(() => comments(0))
      .toEqual([
        ["Not needed.", "sent"],
        ["Prefer this one.", "sent"],
      ]);
    expect(await comments(1)).toEqual([["Why two?", "draft"]]);
    expect(complaints).toEqual([]);
  });

  test("[E1] a comparison shows no numbers of changes that are not loaded yet", async () => {
    const { page } = await visit(server);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/attempts/*/diff*", async (route) => {
      asked.resolve();
      await answer.promise;
      await route.continue();
    });
    await page.goto(new URL(`/t/${taskId}/compare`, server.url).href);
    const changes = page.getByRole("row", { name: /^Changes/ });
    await asked.promise;
    await changes.waitFor();
    expect(await changes.getByText("Loading").count()).toBe(2);
    expect(await page.getByRole("table").innerText()).not.toMatch(/\d files?/);
    answer.resolve();
    await changes
      .getByText(/\d files?/)
      .first()
      .waitFor();
    await page.unrouteAll({ behavior: "wait" });
  });

  test("[E1] two attempts are compared side by side on a narrow screen, too, and a third is reached by scrolling", async () => {
    const { page } = await visit(server, {
      ...{ path: `/t/${taskId}/compare`, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    });
    await page.getByRole("button", { name: "hello.js", exact: true }).waitFor();
    const rightEdges = async () =>
      Math.max(...(await page.locator("thead th").evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().right))));
    expect(await rightEdges()).toBeLessThanOrEqual(360);
    const more = page.locator("[data-scroll-hint]");
    expect(await more.count()).toBe(0);
    await expectAccessible(page);
    await expectFits(page);
    await keepScreenshot(page, "task-compare-narrow");

    const third = await server.api.createAttempt(taskId);
    try {
      // the tab of what is shown is whole, also where there is no room for all
      const task = await visit(server, {
        ...{ path: `/t/${taskId}?attempt=${third.id}`, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
      });
      const isWhole = `(() => {
        const tab = document.querySelector('[role="tab"][data-attempt-id="${third.id}"]');
        return tab && tab.getBoundingClientRect().right <= tab.parentElement.getBoundingClientRect().right + 1;
      })()`;
      await expect.poll(() => task.page.evaluate(isWhole)).toBe(true);
      await page.getByRole("checkbox", { name: /#3/ }).waitFor();
      await page.getByRole("checkbox", { name: /#1/ }).check();
      await page.locator('[data-scroll-hint="end"]').click();
      await page.locator('[data-scroll-hint="start"]').waitFor();
      await expectFits(page);
    } finally {
      await server.api.request("DELETE", `/api/attempts/${third.id}`);
    }
  });

  test("[E1] another agent continues an attempt in its own one, with the conversation so far", async () => {
    const home = newFolder("home");
    // a program that prints its input
    writeFileSync(join(home, "config.json"), JSON.stringify({ agents: { "command:echo": { command: ["cat"], name: "Echo" } } }));
    const other = await startRealServer({ home });
    const { id } = await other.api.createTask((await other.api.createProject(newRepository())).id, "Hand it over");
    await other.api.createAttempt(id, { model: newScriptedModel([{ text: "The first agent was here." }]) });
    const stream = await openEventStream(other.api);
    await other.api.send(id, "Begin");
    await stream.waitFor(({ event }) => event.type === "execution:completed");

    const { page, complaints } = await visit(other, { path: `/t/${id}` });
    await page.getByText("The first agent was here.").waitFor();
    await page.getByRole("button", { name: /^Continue with another agent/ }).click();
    await page.getByRole("menuitemradio", { name: "Echo" }).click();
    await page.getByRole("tab", { name: /Attempt 2, Echo, Continues attempt 1, Active/ }).waitFor();
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("And you?");
    await page.keyboard.press("Enter");
    await page
      .locator('article[data-role="assistant"]')
      .filter({ hasText: "The first agent was here." })
      .filter({ hasText: "And you?" })
      .waitFor();
    await keepScreenshot(page, "task-continued");
    stream.close();
    expect(complaints).toEqual([]);
  });
});
