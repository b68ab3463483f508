import { afterAll, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import { newOfferingAgent } from "../support/offering-agent.ts";
import { newRepository } from "../support/repository.ts";
import { newSessionAgent } from "../support/session-agent.ts";

afterAll(closeBrowser);

test("[E9] models and modes that an agent's session offers are chosen below the composer, and apply to the next message", async () => {
  const server = await startConfiguredServer({ agents: { "acp:offering": { command: newOfferingAgent() } } });
  const project = await server.api.createProject(newRepository("atlas"));
  const task = await server.api.createTask(project.id, "Choose");
  const body = { agent: "acp:offering", permissionMode: "ask" };
  const { id } = await server.api.request<{ id: string }>("POST", `/api/tasks/${task.id}/attempts`, body);
  const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
  const send = async (message: string) => {
    await page.getByRole("textbox", { name: "Message", exact: true }).fill(message);
    await page.keyboard.press("Enter");
  };
  await page.getByRole("button", { name: "Permissions: Ask before acting" }).waitFor();
  expect(await page.getByRole("button", { name: /^Agent's mode/ }).count()).toBe(0);
  await send("First");
  await page.getByText("code with small").waitFor();

  // the current values are shown, though nothing was chosen
  await page.getByRole("button", { name: "Model: Small 1" }).click();
  await page.getByRole("menuitemradio", { name: "Large 2" }).click();
  await page.getByRole("button", { name: "Model: Large 2" }).waitFor();
  await page.getByRole("button", { name: "Agent's mode: By permissions" }).click();
  // the mode that stands for full access is a matter of permissions
  expect(await page.getByRole("menuitemradio").allTextContents()).toEqual(["By permissions", "Code", "Review"]);
  await keepScreenshot(page, "session-options");
  await expectAccessible(page);
  await page.getByRole("menuitemradio", { name: "Review" }).click();
  await page.getByRole("button", { name: "Agent's mode: Review" }).waitFor();
  await send("Second");
  await page.getByText("review with large").waitFor();

  // its session has no plan mode: the mode is listed, but cannot be chosen, neither here nor by the API
  await page.getByRole("button", { name: "Permissions: Ask before acting" }).click();
  const plan = page.getByRole("menuitemradio", { name: "Plan first (this agent has no plan mode)" });
  expect(await plan.getAttribute("aria-disabled")).toBe("true");
  await keepScreenshot(page, "plan-unavailable");
  await expectAccessible(page);
  const patch = (changes: object) => server.api.request("PATCH", `/api/attempts/${id}`, changes);
  await expect(patch({ agentMode: "yolo" })).rejects.toThrow(/offers no mode “yolo”/);
  await patch({ agentMode: null });
  expect(complaints).toEqual([]);
});

test("[N3] a new attempt continues a session that the agent has in the project's folder", async () => {
  const agent = newSessionAgent();
  const server = await startConfiguredServer({ agents: { "acp:keeper": { command: agent.command } } });
  const repository = newRepository("atlas");
  agent.write({ s1: { cwd: repository, title: "Fix the parser", messages: ["before"] } });
  const project = await server.api.createProject(repository);
  const task = await server.api.createTask(project.id, "Carry on");
  await server.api.request("POST", `/api/tasks/${task.id}/attempts`, { agent: "acp:keeper", permissionMode: "full" });
  const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
  await page.getByRole("button", { name: "New attempt" }).click();
  await page.getByText("Continue an existing session of keeper (optional)").click();
  await page.getByRole("combobox", { name: "Session" }).click();
  await page.getByRole("option", { name: "Fix the parser" }).click();
  await page.getByText("A session belongs to its folder").waitFor();
  await keepScreenshot(page, "agent-session");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Start attempt" }).click();
  await page.getByText("before | Carry on").waitFor();
  expect(complaints).toEqual([]);
});
