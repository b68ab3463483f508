import { readdirSync, readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { startRealServer } from "./real-server.ts";
import { newRepository } from "./repository.ts";
import { newScriptedModel } from "./scripts.ts";

const command = "echo waiting; sleep 100000";
const model = newScriptedModel([{ text: "Waiting.", toolCalls: [{ name: "bash", arguments: { command, timeoutMs: 600_000 } }] }]);
let home = "";

/** Pids of all processes of this data dir: servers, runners, agents and their commands. */
function listProcesses(): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return ["cmdline", "environ"].some((file) => readFileSync(`/proc/${name}/${file}`, "utf8").includes(home));
    } catch {
      return false;
    }
  });
}

test.skipIf(process.platform !== "linux")("a test may leave its agent running", async () => {
  const server = await startRealServer();
  home = server.home;
  const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
  await server.api.createAttempt(task.id, { model });
  await server.api.send(task.id, "Wait");
  const isWaiting = async () => JSON.stringify((await server.api.conversation(task.id)).messages).includes("waiting\\n");
  await vi.waitFor(async () => expect(await isWaiting()).toBe(true), { timeout: 60_000, interval: 100 });
  expect(listProcesses().length).toBeGreaterThan(2);
});

test.skipIf(process.platform !== "linux")("when it has ended, none of its processes is left", async () => {
  expect(home).not.toBe("");
  await vi.waitFor(() => expect(listProcesses()).toEqual([]), { timeout: 30_000, interval: 50 });
});
