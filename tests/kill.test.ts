import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { skeinProgram } from "../packages/cli/src/testing/skein-program.ts";
import { findExecutionProcesses, signalProcess } from "../packages/host/src/runner/process-tree.ts";
import { openEventStream } from "./support/event-stream.ts";
import { isLong } from "./support/long.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";
import { expectKept, shownBy } from "./support/shown-messages.ts";

const kills = isLong ? 200 : 8;
const killsPerExecution = 4;
/** Of each of the other victims. */
const rounds = isLong ? 20 : 2;
const steps = isLong ? 6 : 4;

/** Each command appends one line; a text between them streams slowly enough to be cut anywhere. */
const model = newScriptedModel([
  ...Array.from({ length: steps }, (_, step) => ({
    reasoning: `Thinking about step ${step}, which comes before the next.`,
    text: `Step ${step}: a sentence that is long enough to arrive in several pieces, so that a kill can fall into its middle.`,
    toolCalls: [bash(`echo ${step} >> count.txt; sleep 0.2; echo step ${step} done`), { name: "list", arguments: {} }],
    chunkDelayMs: 15,
  })),
  { text: "All steps are done.", chunkDelayMs: 15 },
]);

async function killDuring(server: RealServer, taskId: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const stream = await openEventStream(server.api, { after: 0 });
    await wait(Math.random() * 400);
    await server.kill();
    await stream.ended;
    await server.start();
    expectKept(shownBy(stream, taskId).values(), (await server.api.conversation(taskId)).messages);
  }
}

describe("kill -9 of the server", () => {
  test(`[Q5, Q7, P5] at ${kills} random moments: the run is not disturbed, nothing shown is missing or doubled, no tool runs twice`, {
    timeout: 30_000 + kills * 10_000,
  }, async () => {
    const server = await startRealServer();
    const project = await server.api.createProject(newRepository());
    for (let done = 0; done < kills; done += killsPerExecution) {
      const task = await server.api.createTask(project.id);
      const attempt = await server.api.createAttempt(task.id, { model });
      const { executionId } = await server.api.send(task.id, "Go through all steps");
      await killDuring(server, task.id, killsPerExecution);

      const stream = await openEventStream(server.api, { after: 0 });
      await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
      const ends = stream.seen.filter(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
      expect(ends).toHaveLength(1);
      expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "success", exitCode: 0 }]);
      const { messages } = await server.api.conversation(task.id);
      const cards = messages.filter((message) => message.messageType === "tool_execution");
      expect(cards.map((card) => card.metadata.state)).toEqual(Array.from({ length: steps * 2 }, () => "completed"));
      expect(messages.at(-1)?.content).toBe("All steps are done.");
      expect(readFileSync(join(attempt.directory, "count.txt"), "utf8")).toBe(
        Array.from({ length: steps }, (_, step) => `${step}\n`).join(""),
      );
      stream.close();
    }
  });

  test("[Q5, P5] of the runner and the agent too: finalized as interrupted, with everything that was shown", async () => {
    const server = await startRealServer();
    const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
    const attempt = await server.api.createAttempt(task.id, { model });
    const stream = await openEventStream(server.api);
    const { executionId } = await server.api.send(task.id, "Go");
    await stream.waitFor(({ event }) => event.type === "message:added" && event.message.content.includes("Step 1"));
    await server.kill();
    await stream.ended;
    const runner = JSON.parse(readFileSync(join(server.home, "executions", executionId ?? "", "runner.json"), "utf8")) as { pid: number };
    process.kill(runner.pid, "SIGKILL");
    await server.start();

    const after = await openEventStream(server.api, { after: 0 });
    await after.waitFor(({ event }) => event.type === "execution:completed");
    expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "interrupted" }]);
    const { messages } = await server.api.conversation(task.id);
    expectKept(shownBy(stream, task.id).values(), messages);
    expect(messages.some((message) => message.messageType === "tool_execution" && message.metadata.state === "running")).toBe(false);
    expect(messages.at(-1)).toMatchObject({ messageType: "notice", metadata: { code: "execution-interrupted" } });

    // and the next message continues from there
    const second = await server.api.send(task.id, "Go on");
    await after.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === second.executionId);
    expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "interrupted" }, { status: "success" }]);
  });

  test.each(["the runner", "the runner and the agent", "the runner, the agent and the server"])(
    "[Q4, Q5] of %s at random moments: no command runs twice, everything shown is kept, and the next message continues",
    { timeout: 60_000 + rounds * 30_000 },
    async (victim) => {
      const server = await startRealServer();
      const project = await server.api.createProject(newRepository());
      for (let round = 0; round < rounds; round++) {
        const task = await server.api.createTask(project.id);
        const attempt = await server.api.createAttempt(task.id, { model });
        const stream = await openEventStream(server.api);
        const { executionId = "" } = await server.api.send(task.id, "Go");
        await stream.waitFor(({ event }) => event.type === "message:added" && event.message.messageType === "thinking");
        await wait(Math.random() * 1500);
        const runner = JSON.parse(readFileSync(join(server.home, "executions", executionId, "runner.json"), "utf8")) as { pid: number };
        if (victim.includes("server")) await server.kill();
        if (victim.includes("agent")) for (const pid of findExecutionProcesses({ executionId })) signalProcess(pid, "SIGKILL");
        signalProcess(runner.pid, "SIGKILL");
        if (victim.includes("server")) await server.start();

        const after = await openEventStream(server.api, { after: 0 });
        await after.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
        expect(findExecutionProcesses({ executionId })).toEqual([]);
        expectKept(shownBy(stream, task.id).values(), (await server.api.conversation(task.id)).messages);
        const ran = existsSync(join(attempt.directory, "count.txt")) ? readFileSync(join(attempt.directory, "count.txt"), "utf8") : "";
        const lines = ran.split("\n").filter((line) => line !== "");
        expect(lines).toEqual([...new Set(lines)]);

        const second = await server.api.send(task.id, "Go on");
        await after.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === second.executionId);
        expect((await server.api.executions(attempt.id)).at(-1)).toMatchObject({ status: "success" });
        for (const open of [stream, after]) open.close();
      }
    },
  );

  test("a message that was saved but whose agent never started is started by the next server, once", async () => {
    const server = await startRealServer();
    const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
    const attempt = await server.api.createAttempt(task.id, {
      model: newScriptedModel([{ toolCalls: [bash("echo x >> count.txt")] }, { text: "Done." }]),
    });
    await server.api.send(task.id, "go");
    await server.kill(); // somewhere between the commit and the agent's start
    await server.start();
    const stream = await openEventStream(server.api, { after: 0 });
    await stream.waitFor(({ event }) => event.type === "execution:completed");
    expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "success" }]);
    expect(readFileSync(join(attempt.directory, "count.txt"), "utf8")).toBe("x\n");
  });
});

describe("one data dir, one server", () => {
  test("[Q16] the second one reports where the first one is, and exits with 0", async () => {
    const first = await startRealServer();
    const { output, code } = await runServe(first.home);
    expect(output).toContain(first.url);
    expect(code).toBe(0);
    expect((await first.api.request<unknown[]>("GET", "/api/projects")).length).toBe(0);
  });
});

async function runServe(home: string): Promise<{ output: string; code: number | null }> {
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    skeinProgram,
    "serve",
    "--home",
    home,
    "--port",
    "0",
    "--no-open",
  ]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { output, code };
}
