import { afterAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import { newElicitingAgent } from "../support/eliciting-agent.ts";
import { waitForEnd } from "../support/execution-end.ts";
import { newRepository } from "../support/repository.ts";

afterAll(closeBrowser);

async function startTask() {
  const server = await startConfiguredServer({ agents: { "acp:asker": { command: newElicitingAgent(), name: "Asker" } } });
  const project = await server.api.createProject(newRepository());
  const task = await server.api.createTask(project.id, "Make a package");
  const attempt = await server.api.createAttempt(task.id, { agent: "acp:asker" });
  const { executionId } = await server.api.send(task.id, "go");
  const said = async () => (await server.api.conversation(task.id)).messages.map(({ content }) => content);
  return { server, task, attempt, executionId, said };
}

test("[E10] a form of an ACP agent is a question card: it survives the server, accepts what its fields allow, and is answered once", async () => {
  const { server, task, attempt, executionId, said } = await startTask();
  const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
  const card = page.getByRole("region", { name: "The agent asks for input" });
  await card.waitFor();
  await server.kill();
  await server.start();
  await page.reload();
  await card.waitFor();
  await card.getByText("Tell me about the new package.").waitFor();
  expect(await card.getByLabel("Your own answer to: Port").inputValue()).toBe("8080");
  expect(await card.getByRole("radio", { name: "Yes" }).isChecked()).toBe(true);
  await card.getByLabel("Your own answer to: Port").fill("http");
  await card.getByText("Enter a whole number from 1 to 65535.").waitFor();
  await card.getByLabel("Your own answer to: Package name").fill("core");
  await card.getByText("Application").click();
  await card.getByText("web", { exact: true }).click();
  await card.getByText("api", { exact: true }).click();
  expect(await card.getByRole("button", { name: "Answer" }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await keepScreenshot(page, "elicitation-form");
  await card.getByLabel("Your own answer to: Port").fill("3000");
  await card.getByRole("button", { name: "Answer" }).click();

  const link = page.getByRole("region", { name: "The agent asks you to open a page" });
  await link.waitFor();
  await link.getByText("It leads to registry.example.com.").waitFor();
  expect(await link.getByRole("link", { name: "Open page" }).getAttribute("href")).toBe("https://registry.example.com/login?device=7");
  await expectAccessible(page);
  await keepScreenshot(page, "elicitation-page");
  await link.getByRole("button", { name: "I opened it" }).click();
  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success" });
  const content = { name: "core", port: 3000, strict: true, kind: "app", tags: ["web", "api"] };
  expect((await said()).join("")).toContain(`form: ${JSON.stringify({ action: "accept", content })}`);
  expect((await said()).join("")).toContain('page: {"action":"accept"}');
  expect(complaints.filter((complaint) => !/Failed to (?:load|fetch)|ERR_/.test(complaint))).toEqual([]);
});

test("[E10] a form that is skipped is declined, also on a narrow screen in Chinese; a stop ends the pending form", async () => {
  const { server, task, attempt, executionId, said } = await startTask();
  const { page } = await visit(server, {
    path: `/t/${task.id}`,
    viewport: { width: 360, height: 740 },
    colorScheme: "dark",
    locale: "zh-CN",
  });
  const card = page.getByRole("region", { name: "智能体请求输入" });
  await card.waitFor();
  await expectFits(page);
  await keepScreenshot(page, "elicitation-narrow");
  await card.getByRole("button", { name: "跳过" }).click();
  await page.getByRole("region", { name: "智能体请求你打开一个网页" }).waitFor();
  expect((await said()).join("")).toContain('form: {"action":"decline"}');
  await server.api.stop(task.id);
  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "cancelled" });
  const approvals = await server.api.request<{ status: string }[]>("GET", `/api/approvals?attemptId=${attempt.id}`);
  expect(approvals.map(({ status }) => status).sort()).toEqual(["answered", "expired"]);
});
