import { afterAll, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import { newEditingAgent } from "../support/editing-agent.ts";
import { startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { newRogueAgent } from "../support/rogue-agent.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);

const question = {
  header: "Database",
  question: "Which database do you want?",
  options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }],
};

test("[E10, U5] a question is answered, a dangerous command shows why it asks, and “always” is remembered for the project", async () => {
  const model = newScriptedModel([
    { text: "I need to know.", toolCalls: [{ name: "ask", arguments: { questions: [question] } }] },
    { toolCalls: [bash("rm -rf build")] },
    { toolCalls: [bash("git status --short")] },
    { toolCalls: [bash("git status --branch")] },
    { text: "All done." },
  ]);
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository("atlas"));
  const task = await server.api.createTask(project.id, "Set it up");
  await server.api.createAttempt(task.id, { model, permissionMode: "ask" });
  const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Set it up");
  await page.keyboard.press("Enter");

  await page.getByText(question.question).first().waitFor();
  await keepScreenshot(page, "approval-question");
  await page.getByText("Postgres").click();
  await page.getByRole("button", { name: "Answer" }).click();

  await page.getByText("cannot be undone").waitFor();
  // nothing runs yet, and its line does not claim that it does
  const card = page.locator('article[data-tool="bash"][aria-label="bash Waiting for you"]');
  await card.getByText("Waiting for you").waitFor();
  await card.getByText(/^Run .+\?$/).waitFor();
  await keepScreenshot(page, "approval-danger");
  await expectAccessible(page);
  expect(await page.getByRole("button", { name: /always/i }).count()).toBe(0);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("textbox").first().fill("Not that folder");
  await expectAccessible(page);
  await page.keyboard.press("Enter");

  // the second command of that kind does not ask any more
  await page
    .getByRole("button", { name: "Always allow in this project: “git status” with read-only options, inside the worktree" })
    .click();
  await page.getByText("All done.").waitFor();
  const { messages } = await server.api.conversation(task.id);
  const cards = messages.filter((message) => message.messageType === "tool_execution");
  expect(cards.map((card) => [card.metadata.toolName, card.metadata.state])).toEqual([
    ["ask", "completed"],
    ["bash", "denied"],
    ["bash", "completed"],
    ["bash", "completed"],
  ]);
  expect(cards[0]?.metadata.output).toContain("Postgres");
  expect(cards[1]?.metadata.output).toContain("Not that folder");
  expect(await server.api.request("GET", `/api/projects/${project.id}/permission-rules`)).toMatchObject([
    { grant: { type: "read-only-command", tool: "bash", program: "git status" }, isInEffect: true },
  ]);
  expect(complaints).toEqual([]);
});

test("[E10, U5] an edit is approved by its diff, in the task and in the inbox; where the agent sends none, the card reports it", async () => {
  const command = newEditingAgent([
    {
      title: "Writing to hello.js",
      content: [{ type: "diff", path: "/w/hello.js", oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" }],
      locations: [{ path: "/w/hello.js" }],
    },
    { title: "Edit files", locations: [{ path: "/w/secret.txt" }] },
  ]);
  const server = await startConfiguredServer({ agents: { "acp:editor": { command } } });
  const project = await server.api.createProject(newRepository("atlas"));
  const task = await server.api.createTask(project.id, "Edit it");
  await server.api.request("POST", `/api/tasks/${task.id}/attempts`, { agent: "acp:editor", permissionMode: "ask" });
  const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Edit it");
  await page.keyboard.press("Enter");
  const diff = page.locator("[data-approval-id] [data-change]");
  const readLines = () => diff.locator("[dir=ltr] > div > div").allTextContents();
  const lines = [" one", "−Old: two", "+New: 2", " three"];
  await diff.getByText("/w/hello.js").waitFor();
  expect(await readLines()).toEqual(lines);
  await keepScreenshot(page, "approval-diff");
  await expectAccessible(page);
  await page.goto(`${server.url}/inbox`);
  await diff.getByText("/w/hello.js").waitFor();
  expect(await readLines()).toEqual(lines);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.getByText("The agent sent only the name of this file, not what it would change.").waitFor();
  await expectAccessible(page);
  await page.goto(`${server.url}/t/${task.id}`);
  await page.getByText("The agent sent only the name of this file, not what it would change.").waitFor();
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await expect
    .poll(async () => (await server.api.executions((await server.api.conversation(task.id)).attemptId ?? ""))[0]?.status)
    .toBe("success");
  expect(complaints).toEqual([]);
});

test("[E10, U5] an approval that somebody else answered is shown as such, in the task and in the inbox", async () => {
  const server = await startConfiguredServer({ agents: { "acp:rogue": { command: newRogueAgent() } } });
  const project = await server.api.createProject(newRepository("atlas"));
  const task = await server.api.createTask(project.id, "Clean up");
  await server.api.request("POST", `/api/tasks/${task.id}/attempts`, { agent: "acp:rogue", permissionMode: "ask" });
  const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Clean up");
  await page.keyboard.press("Enter");
  const warning = page.getByRole("alert").filter({ hasText: "Tampered: the agent used this tool although nobody had answered" });
  await warning.waitFor();
  await expectAccessible(page);
  await page.goto(`${server.url}/inbox`);
  await warning.waitFor();
  await expectAccessible(page);
  await server.api.stop(task.id);
  expect(complaints).toEqual([]);
});
