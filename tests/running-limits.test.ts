import { execFile } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { GeneralSettings, TaskSummary, WaitingExecution } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { skeinProgram } from "../packages/cli/src/testing/skein-program.ts";
import { startConfiguredServer } from "./support/configured-server.ts";
import { openEventStream } from "./support/event-stream.ts";
import { waitForEnd } from "./support/execution-end.ts";
import type { RealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

/**
 * Tasks whose agent writes its number to a journal, waits until it may end, and writes it again: at every moment, the journal has as
 * many numbers without their pair as agents are running.
 */
async function newAgents(server: RealServer) {
  const folder = newFolder("journal");
  const journal = join(folder, "journal");
  const project = await server.api.createProject(newRepository());

  async function start(number: number) {
    const task = await server.api.createTask(project.id, `Task ${number}`);
    const command = `echo "+${number}" >> ${journal}; until [ -e ${folder}/end-${number} ]; do sleep 0.05; done; echo "-${number}" >> ${journal}`;
    const model = newScriptedModel([{ toolCalls: [bash(command)] }, { text: "Done." }]);
    const attempt = await server.api.createAttempt(task.id, { model, permissionMode: "full" });
    const { executionId = "" } = await server.api.send(task.id, "go");
    return { number, task, attempt, executionId };
  }
  const read = (): number[] => (existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n").map(Number) : []);
  return {
    start,
    read,
    end: (number: number) => appendFileSync(join(folder, `end-${number}`), ""),
    started: () => read().filter((entry) => entry > 0),
    untilStarted: (...numbers: number[]) =>
      vi.waitFor(() => expect(read().filter((entry) => entry > 0)).toEqual(numbers), { timeout: 60_000, interval: 200 }),
    /** The most that ran at any moment. */
    most: () => {
      let running = 0;
      return Math.max(...read().map((entry) => (running += Math.sign(entry))));
    },
  };
}

const runSkein = async (args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", skeinProgram, ...args])).stdout;
const listWaiting = (server: RealServer) => server.api.request<WaitingExecution[]>("GET", "/api/waiting-executions");
const idsOf = (waiting: readonly WaitingExecution[]): string[] => waiting.map(({ execution }) => execution.id);

test("[L1, Q21, Q22] never more than the limit, in order, across kill -9; the order can be changed, one started at once or stopped", async () => {
  const server = await startConfiguredServer({ limits: { running: 2 } });
  const agents = await newAgents(server);
  const all = [];
  for (const number of [1, 2, 3, 4, 5, 6]) all.push(await agents.start(number));
  const [one, two, three, four, five, six] = all.map(({ executionId }) => executionId) as [string, string, string, string, string, string];
  await agents.untilStarted(1, 2);
  await vi.waitFor(async () => expect(idsOf(await listWaiting(server))).toEqual([three, four, five, six]));
  const { activity } = await server.api.request<TaskSummary>("GET", `/api/tasks/${all[2]?.task.id}`);
  expect(activity).toMatchObject({ executing: true, open: [{ executionId: three, wait: { for: "limit" } }] });
  const { currentExecution } = await server.api.conversation(all[2]?.task.id ?? "");
  expect(currentExecution).toMatchObject({ id: three, wait: { for: "limit" } });

  // the sixth to the front, with the command line
  const skein = (...args: string[]) => runSkein([...args, "--home", server.home]);
  expect(await skein("waiting")).toMatch(/1 .*Task 3\n2 .*Task 4\n3 .*Task 5\n4 .*Task 6/);
  expect(await skein("tasks")).toMatch(/waiting to start .*Task 3/);
  expect(await skein("waiting", "first", all[5]?.task.id ?? "")).toBe("It will start next.\n");
  expect(idsOf(await listWaiting(server))).toEqual([six, three, four, five]);
  await server.kill();
  await server.start();
  expect(idsOf(await listWaiting(server))).toEqual([six, three, four, five]);
  agents.end(1);
  await agents.untilStarted(1, 2, 6);

  // one that waits is stopped without having been started, and does not take the slot of another
  await server.api.stop(all[2]?.task.id ?? "");
  expect(await waitForEnd(server, all[2]?.attempt.id ?? "", three)).toMatchObject({ status: "cancelled" });
  expect(idsOf(await listWaiting(server))).toEqual([four, five]);
  await server.kill();
  agents.end(2);
  await server.start();
  await agents.untilStarted(1, 2, 6, 4);
  expect(agents.most()).toBe(2);

  // the user's decision overrules the limit
  expect(await skein("waiting", "start", all[4]?.attempt.id ?? "")).toBe("It is being started.\n");
  await agents.untilStarted(1, 2, 6, 4, 5);
  await expect(server.api.request("POST", `/api/executions/${five}/start-now`)).rejects.toThrow("execution-not-waiting");
  for (const number of [4, 5, 6]) agents.end(number);
  for (const { executionId, attempt } of all) if (executionId !== three) await waitForEnd(server, attempt.id, executionId);
  expect(agents.read().toSorted((a, b) => a - b)).toEqual([-6, -5, -4, -2, -1, 1, 2, 4, 5, 6]);
  expect((await server.api.executions(all[0]?.attempt.id ?? "")).map(({ id }) => id)).toEqual([one]);
  expect((await server.api.executions(all[1]?.attempt.id ?? "")).map(({ id }) => id)).toEqual([two]);
});

test("[L1] limits of an agent and a project; a raised limit starts what waits, with events", async () => {
  const server = await startConfiguredServer({ limits: { perAgent: { native: 1 } } });
  const agents = await newAgents(server);
  const stream = await openEventStream(server.api);
  const started: Awaited<ReturnType<typeof agents.start>>[] = [];
  for (const number of [1, 2, 3]) started.push(await agents.start(number));
  await agents.untilStarted(1);
  await stream.waitFor(({ event }) => event.type === "execution:changed" && event.executionId === started[2]?.executionId);
  const { limits } = await server.api.request<GeneralSettings>("PATCH", "/api/settings/general", { limits: { perAgent: { native: 2 } } });
  expect(limits).toEqual({ running: null, perAgent: { native: 2 }, perProject: {} });
  await stream.waitFor(
    ({ event }) =>
      event.type === "execution:changed" &&
      event.executionId === started[1]?.executionId &&
      event.execution.status === "running" &&
      event.execution.wait === undefined,
  );
  await agents.untilStarted(1, 2);
  // lifting all limits starts everything
  await server.api.request("PATCH", "/api/settings/general", { limits: { perAgent: {} } });
  await agents.untilStarted(1, 2, 3);
  for (const number of [1, 2, 3]) agents.end(number);
  for (const { attempt, executionId } of started)
    expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success" });
  stream.close();
});
