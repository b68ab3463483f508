import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { skeinProgram } from "../packages/cli/src/testing/skein-program.ts";
import { openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const pruning = new URL("../packages/host/bin/builds.mjs", import.meta.url).href;

/** Prunes builds as the next build does, a day later. */
function prune(builds: string): void {
  const script = `
    const { pruneBuilds } = await import(${JSON.stringify(pruning)});
    pruneBuilds(${JSON.stringify(builds)}, { keep: "newer", now: Date.now() + 86_400_000 });
  `;
  execFileSync(process.execPath, ["--input-type=module", "-e", script]);
}

test("a server whose sources are rebuilt starts agents of its own build, which is kept while it is in use", async () => {
  const builds = newFolder("builds");
  const own = join(builds, "own");
  cpSync(dirname(skeinProgram), own, { recursive: true, filter: (path) => !/[/\\](compile-cache|web)$|[/\\]in-use[/\\]/.test(path) });
  const server = await startRealServer({ program: join(own, "skein.js") });
  mkdirSync(join(builds, "newer"));
  prune(builds);

  const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
  const attempt = await server.api.createAttempt(task.id, {
    model: newScriptedModel([{ toolCalls: [bash("tr '\\0' ' ' < /proc/$PPID/cmdline || true")] }, { text: "Done." }]),
  });
  const stream = await openEventStream(server.api);
  const { executionId } = await server.api.send(task.id, "go");
  await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "success" }]);
  const { messages } = await server.api.conversation(task.id);
  const card = messages.find((message) => message.messageType === "tool_execution");
  if (process.platform === "linux") expect(JSON.stringify(card)).toContain(join(own, "native-program.js"));
  stream.close();

  await server.stop();
  await vi.waitFor(() => {
    prune(builds);
    expect(readdirSync(builds)).toEqual(["newer"]);
  });
});
