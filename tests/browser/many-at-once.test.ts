import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, Execution, ProjectScripts, StartedRace, Task, WaitingExecution } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, expect, test, vi } from "vitest";
import { hasSandbox, newPlaceFolder, removePlaces } from "../../packages/agents/src/sandbox/sandbox.fixture.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { git, newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

afterAll(async () => {
  await closeBrowser();
  removePlaces();
});

const ordinary = 16;
const limit = 4;

/** Where agents keep a journal of their starts and ends, and wait for `go`. No sandbox shows it. */
function newWorkPlace() {
  const folder = newPlaceFolder();
  const journal = join(folder, "journal");
  writeFileSync(journal, "");
  const toAgent = (server: RealServer): string => `prompt=$(cat)
case "$prompt" in *escape*)
  (echo x > ${folder}/stolen) 2> /dev/null && echo ESCAPED by writing
  (cat ${server.home}/token > /dev/null) 2> /dev/null && echo ESCAPED by reading
  (: > "/dev/tcp/127.0.0.1/${new URL(server.url).port}") 2> /dev/null && echo ESCAPED by network
  echo work >> work.txt; echo "It cannot get out."; exit;;
esac
echo start >> ${journal}
until [ -e ${folder}/go ]; do sleep 0.1; done
case "$prompt" in *limited*) if [ -e ${folder}/limit ]; then
  echo end >> ${journal}; echo "You've hit your usage limit. Upgrade to Pro or try again in 3 hours." >&2; exit 1
fi;; esac
echo work >> work.txt; echo end >> ${journal}; echo "The work is done."
`;
  const read = (): string[] =>
    readFileSync(journal, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  return {
    toAgent,
    folder,
    count: (what: "start" | "end") => read().filter((line) => line === what).length,
    /** The most that worked at the same time. */
    mostAtOnce(): number {
      let [now, most] = [0, 0];
      for (const line of read()) {
        now += line === "start" ? 1 : -1;
        most = Math.max(most, now);
      }
      return most;
    },
    set: (name: "go" | "limit") => writeFileSync(join(folder, name), ""),
    remove: (name: "limit") => rmSync(join(folder, name)),
  };
}

async function newProject(server: RealServer, agent: string): Promise<string> {
  const repository = newRepository("fleet", newPlaceFolder());
  mkdirSync(join(repository, ".skein"));
  writeFileSync(join(repository, ".skein/project.json"), JSON.stringify({ check: "test -s work.txt" }));
  writeFileSync(join(repository, "agent.sh"), agent);
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "agent");
  const { id } = await server.api.createProject(repository);
  const path = `/api/projects/${id}/scripts`;
  const { hash } = await server.api.request<ProjectScripts>("GET", path);
  await server.api.request("POST", `${path}/trust`, { hash });
  return id;
}

const listWaiting = (server: RealServer) => server.api.request<WaitingExecution[]>("GET", "/api/waiting-executions");
const listHeld = (server: RealServer) => server.api.request<WaitingExecution[]>("GET", "/api/held-executions");
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 90_000, interval: 200 });
const card = (page: Page, title: string) => page.locator("[data-task-id]", { hasText: title });
const column = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("[L1, L2, L3, L4, L7, Q21, Q22] twenty tasks with a limit of four: a budget, a provider's limit, a race, a sandbox and two kills; afterwards the board is right", {
  timeout: 400_000,
}, async () => {
  const place = newWorkPlace();
  place.set("limit");
  const spending = newScriptedModel([
    ...Array.from({ length: 3 }, (_, step) => ({ toolCalls: [bash(`echo ${step} >> calls.txt`)], costUsd: 1, chunkDelayMs: 0 })),
    { text: "Spent.", costUsd: 1, chunkDelayMs: 0 },
  ]);
  const home = newPlaceFolder();
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({
      developer: { scriptedModels: true },
      limits: { running: limit },
      budgets: { task: { costUsd: 2 } },
      agents: {
        "command:worker": { command: ["/bin/bash", "agent.sh"], name: "Worker" },
      },
      defaults: { agent: "command:worker", permissionMode: "full" },
    }),
  );
  // its home is the data dir, as that of a service often is; without agents that happen to be installed on this machine
  const server = await startRealServer({ home, environment: { PATH: "/usr/bin:/bin" } });
  const projectId = await newProject(server, place.toAgent(server));
  const listTasks = () => server.api.request<Task[]>("GET", `/api/tasks?projectId=${projectId}`);
  const titles = [
    ...Array.from({ length: ordinary }, (_, index) => `Work ${String(index + 1).padStart(2, "0")}`),
    "Is limited by its provider: limited",
  ];
  const tasks: Task[] = [];
  for (const title of titles) tasks.push(await server.api.createTask(projectId, title));

  // all of them are started with one key
  const { page, complaints } = await visit(server, { path: `/p/${projectId}`, viewport: { width: 1440, height: 1000 } });
  await card(page, "Work 01").focus();
  await page.keyboard.press("x");
  for (let moves = 1; moves < titles.length; moves++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("X");
  await page.keyboard.press("s");
  await until(async () => expect(await listWaiting(server)).toHaveLength(titles.length - limit));
  await page.keyboard.press("Escape");
  await until(() => expect(place.count("start")).toBe(limit));

  // one in a sandbox, from the composer
  if (hasSandbox) {
    await page.getByRole("button", { name: "New task" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New task" });
    await dialog.getByRole("textbox", { name: "What should be done?" }).fill("Tries to escape");
    await dialog.getByRole("button", { name: "Sandbox: No sandbox" }).click();
    await page.getByRole("menuitemradio", { name: "In a sandbox" }).click();
    await dialog.getByRole("button", { name: "Create and start" }).click();
    await page.waitForURL(/\/t\/tsk_/);
    const id = /tsk_\w+/.exec(page.url())?.[0] ?? "";
    tasks.push(await server.api.getTask(id));
    await page.goto(`${server.url}/p/${projectId}`);
  }
  const start = async (title: string, attempt: Parameters<RealServer["api"]["createAttempt"]>[1]) => {
    const task = await server.api.createTask(projectId, title);
    await server.api.createAttempt(task.id, { permissionMode: "full", ...attempt });
    await server.api.send(task.id, title);
    tasks.push(task);
    return task;
  };
  const budgeted = await start("Uses up its budget", { agent: "native", model: spending });
  const racing = await server.api.request<StartedRace>("POST", "/api/races", {
    id: "cmd_race",
    task: { projectId, title: "Three race" },
    message: "Race",
    attempts: Array.from({ length: 3 }, () => ({ agent: "command:worker", permissionMode: "full" })),
  });
  tasks.push(racing.task);
  expect(tasks.length).toBe(hasSandbox ? 20 : 19);

  // killed while four work and all others wait: nothing is lost, started twice, or changes its place
  const order = async () => (await listWaiting(server)).map(({ execution }) => execution.id);
  const racers = racing.attempts.length;
  await until(async () => expect(await order()).toHaveLength(tasks.length - 1 + racers - limit));
  const before = await order();
  await column(page, "In progress").getByText("Waiting to start").first().waitFor();
  await keepScreenshot(page, "many-waiting");
  await server.kill();
  await server.start();
  await until(async () => expect(await order()).toEqual(before));
  expect(place.count("start")).toBe(limit);

  // killed while everything moves
  place.set("go");
  await until(() => expect(place.count("end")).toBeGreaterThan(6));
  await server.kill();
  await server.start();
  await until(async () => {
    expect((await listHeld(server)).map(({ execution }) => execution.status === "running" && execution.wait?.for).toSorted()).toEqual([
      "budget",
      "provider",
    ]);
    expect(await listWaiting(server)).toEqual([]);
    expect(
      (await listTasks())
        .filter(({ status }) => status !== "in-review")
        .map(({ title }) => title)
        .toSorted(),
    ).toEqual(["Is limited by its provider: limited", "Uses up its budget"]);
  });

  // the user is back
  await page.goto(`${server.url}/inbox`);
  const question = page.getByRole("region", { name: "Budget reached" });
  await question.getByText("$2.00 of $2.00 for this task.").waitFor();
  await keepScreenshot(page, "many-inbox");
  // only what can be seen is answered
  await question.scrollIntoViewIfNeeded();
  await question.getByRole("button", { name: "Continue without this budget" }).click();
  const parked = page.getByRole("region", { name: /^Parked until/ });
  place.remove("limit");
  await parked.scrollIntoViewIfNeeded();
  await parked.getByRole("button", { name: "Resume now" }).click();

  await until(async () => {
    expect((await listTasks()).map(({ status }) => status)).toEqual(tasks.map(() => "in-review"));
  });
  await page.goto(`${server.url}/p/${projectId}`);
  await expect.poll(() => column(page, "In review").locator("[data-task-id]").count()).toBe(tasks.length);
  expect(await column(page, "In progress").locator("[data-task-id]").count()).toBe(0);
  await card(page, "Three race").getByText("Race: 3 of 3 passed").waitFor();
  await keepScreenshot(page, "many-done");

  for (const task of tasks) {
    const attempts = await server.api.request<Attempt[]>("GET", `/api/tasks/${task.id}/attempts`);
    expect([task.title, attempts.length]).toEqual([task.title, task.id === racing.task.id ? racers : 1]);
    for (const attempt of attempts) {
      const executions = await server.api.request<Execution[]>("GET", `/api/attempts/${attempt.id}/executions`);
      const wanted = task.title.includes("limited") ? ["interrupted", "success"] : ["success"];
      expect([task.title, executions.map(({ status }) => status).toSorted()]).toEqual([task.title, wanted]);
      // everything was done, and once
      const [file, content] = task.id === budgeted.id ? ["calls.txt", "0\n1\n2\n"] : ["work.txt", "work\n"];
      expect([task.title, readFileSync(join(attempt.directory, file), "utf8")]).toEqual([task.title, content]);
    }
  }
  expect(place.mostAtOnce()).toBe(limit);
  // the limited one was started twice
  expect(place.count("start")).toBe(titles.length + 1 + racers);
  if (hasSandbox) {
    const escaping = tasks.find(({ title }) => title.includes("escape"));
    const { messages } = await server.api.conversation(escaping?.id ?? "");
    const text = messages.map(({ content }) => content).join("\n");
    expect(text).toContain("It cannot get out.");
    expect(text).not.toContain("ESCAPED");
    expect(existsSync(join(place.folder, "stolen"))).toBe(false);
  }
  // the page is without a server while that is killed
  expect(complaints.filter((text) => !/net::ERR_|Failed to load resource/.test(text))).toEqual([]);
});
