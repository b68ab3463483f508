import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { QueueState } from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { waitForEnd } from "../support/execution-end.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, bashUntilGo, newScriptedModel, type ScriptStep } from "../support/scripts.ts";

let server: RealServer;
let projectId = "";
beforeAll(async () => {
  server = await startRealServer({ keep: true });
  projectId = (await server.api.createProject(newRepository("atlas"))).id;
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** What the model answers from the next message on. */
const rewrite = (model: string, steps: ScriptStep[]) => writeFileSync(model.slice("scripted/".length), JSON.stringify({ steps }));

async function start(steps: ScriptStep[], message: string) {
  const task = await server.api.createTask(projectId, "Draw the map");
  const model = newScriptedModel(steps);
  const attempt = await server.api.createAttempt(task.id, { model, permissionMode: "full" });
  const { executionId } = await server.api.send(task.id, message);
  return { task, attempt, model, executionId, path: `/t/${task.id}`, go: () => writeFileSync(join(attempt.directory, "go"), "") };
}

describe("after an execution has ended", () => {
  test("[E4] stop pauses the queue in every tab; a new message goes first, Continue sends the rest", async () => {
    const { task, attempt, path, go } = await start([{ toolCalls: [bashUntilGo] }, { text: "Done." }], "Begin");
    for (const message of ["Then the rivers", "Then the roads"]) await server.api.send(task.id, message);
    const { page, complaints } = await visit(server, { path });
    const other = (await visit(server, { path, colorScheme: "dark", viewport: { width: 360, height: 740 } })).page;
    const stop = page.getByRole("button", { name: "Stop", exact: true });
    await page.getByText("2 messages queued").waitFor();
    expect(await stop.getAttribute("title")).toBe("Stop the agent. The 2 queued messages wait until you continue.");
    await stop.click();
    for (const tab of [page, other]) {
      await tab.getByText("Queue paused").waitFor();
      await tab.getByText("You stopped the agent. A new message goes first; the queue stays paused.").waitFor();
    }
    await keepScreenshot(page, "queue-paused");
    await keepScreenshot(other, "queue-paused-narrow-dark");
    await expectAccessible(page);
    await expectAccessible(other);

    // messages that were sent while the tab was offline are there when it is back
    await other.context().setOffline(true);
    go();
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("First the coast");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "You" }).filter({ hasText: "First the coast" }).waitFor();
    await expect.poll(async () => (await server.api.executions(attempt.id)).map(({ status }) => status)).toEqual(["cancelled", "success"]);
    await page.getByText("Queue paused").waitFor();
    // two buttons that do different things have different accessible names
    expect(await page.getByRole("button", { name: "Continue with the queue" }).innerText()).toBe("Continue with the queue");
    await page.getByRole("button", { name: "Continue with the queue" }).click();
    await expect.poll(async () => (await server.api.executions(attempt.id)).length).toBe(4);
    await page.getByText("Queue paused").waitFor({ state: "detached" });
    await other.context().setOffline(false);
    await other.getByText("Queue paused").waitFor({ state: "detached" });
    const said = (await server.api.conversation(task.id)).messages.flatMap(({ role, content }) => (role === "user" ? content : []));
    expect(said).toEqual(["Begin", "First the coast", "Then the rivers", "Then the roads"]);
    expect(complaints).toEqual([]);
  });

  test("[E4] a paused queue can be discarded, after a confirmation that names what is lost", async () => {
    const failing: ScriptStep[] = [{ toolCalls: [bashUntilGo] }, { error: { kind: "auth", message: "401 no" } }];
    const { task, path, go } = await start(failing, "Begin");
    for (const message of ["Then the rivers", "Then the roads"]) await server.api.send(task.id, message);
    const { page, complaints } = await visit(server, { path });
    await page.getByText("2 messages queued").waitFor();
    go();
    await page.getByText("The last execution failed. A new message goes first; the queue stays paused.").waitFor();
    await page.getByRole("button", { name: "Discard the queue" }).click();
    const dialog = page.getByRole("dialog", { name: "Discard 2 queued messages?" });
    await dialog.getByText("“Then the rivers” and 1 more have not been sent.").waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, "queue-discard");
    await dialog.getByRole("button", { name: "Discard" }).click();
    await page.getByText("Queue paused").waitFor({ state: "detached" });
    const { queue } = await server.api.request<QueueState>("GET", `/api/tasks/${task.id}/queue`);
    expect(queue).toEqual([]);
    // the agent had worked: there is something to continue
    await page.getByRole("button", { name: "Continue", exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("[E2] after a rejected key, Retry sends the same message again, which appears in the conversation once", async () => {
    const { attempt, model, executionId, path } = await start(
      [{ error: { kind: "auth", message: "401 Incorrect API key provided." } }],
      "Say hello",
    );
    await waitForEnd(server, attempt.id, executionId);
    const { page, complaints } = await visit(server, { path });
    const retry = page.getByRole("button", { name: "Retry" });
    await retry.waitFor();
    expect(await page.getByRole("button", { name: "Continue", exact: true }).count()).toBe(0);
    await keepScreenshot(page, "retry");
    await expectAccessible(page);
    rewrite(model, [{ text: "Hello, map." }]);
    await retry.click();
    await page.getByText("The message was sent again.").waitFor();
    await page.getByText("Hello, map.").waitFor();
    await retry.waitFor({ state: "detached" });
    expect(await page.getByRole("article", { name: "You" }).count()).toBe(1);
    await keepScreenshot(page, "retried");
    expect(complaints).toEqual([]);
  });

  test("[N2, T8] at the step limit the end shows it in the user's language, and Continue resumes right there", async () => {
    await server.api.request("PATCH", "/api/settings/general", { maxSteps: 2 });
    const steps = [1, 2, 3].map((n) => ({ toolCalls: [bash(`echo ${n} >> steps.txt`)] }));
    const { attempt, model, executionId, path } = await start(steps, "Work");
    await waitForEnd(server, attempt.id, executionId);
    const { page, complaints } = await visit(server, { path, locale: "zh-CN" });
    await page.getByText("已达到步数上限").waitFor();
    await page.getByText("已在 2 步后暂停，这是设置中的上限。点击“继续”可从这里接着做。").waitFor();
    await keepScreenshot(page, "step-limit-chinese");
    await expectAccessible(page);
    rewrite(model, [{ text: "Finished." }]);
    await page.getByRole("button", { name: "继续", exact: true }).click();
    await page.getByText("Finished.").waitFor();
    expect((await server.api.messages(attempt.id)).filter(({ body }) => body.role === "tool")).toHaveLength(2);
    expect(complaints).toEqual([]);
  });

  test("[T8] an error of the server is in the user's language, from its code; one of a newer server stays in English", async () => {
    const { attempt, executionId, path } = await start([{ error: { kind: "auth", message: "no key" } }], "Hello");
    await waitForEnd(server, attempt.id, executionId);
    const { page } = await visit(server, { path, locale: "zh-CN" });
    await page.route("**/api/commands", async (route) => {
      // a newer server: its code is not known here
      await route.fulfill({
        status: 409,
        json: { type: "about:blank", title: "Conflict", status: 409, code: "of-tomorrow", detail: "Try tomorrow." },
      });
    });
    await page.getByRole("button", { name: "重试", exact: true }).click();
    await page.getByText("Try tomorrow.").waitFor();
    await page.unroute("**/api/commands");
    await page.route("**/api/commands", (route) =>
      route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), taskId: "tsk_nowhere" }) }),
    );
    await page.getByRole("button", { name: "重试", exact: true }).click();
    await page.getByText("没有任务 tsk_nowhere，它可能已被删除。").waitFor();
    await keepScreenshot(page, "error-chinese");
  });
});
