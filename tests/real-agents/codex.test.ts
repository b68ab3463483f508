import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentList } from "@skein/contracts";
import { findMarkedProcesses } from "@skein/testkit/mcp-servers";
import { expect, test, vi } from "vitest";
import { openCodexTask, patch, shell } from "./codex/codex-task.ts";

const wait = { timeout: 90_000, interval: 50 };

test("[E3, E9] Codex runs commands and changes files, and goes on with its thread in the next execution", async () => {
  const task = await openCodexTask({
    script: [
      { reasoning: "I will look first.", ...shell("cat hello.js; exit 3") },
      patch("*** Add File: new.txt", "+one"),
      { text: ["All ", "done."] },
      { text: "You said: do it." },
    ],
  });
  const list = await task.server.api.request<AgentList>("GET", "/api/agents");
  expect(list.agents.find(({ id }) => id === "codex")).toMatchObject({ available: true, version: expect.stringMatching(/^\d+\.\d+/) });

  const first = await task.run("do it -- --help");
  expect(first).toMatchObject({ status: "success", exitCode: 0 });
  expect(first.status !== "running" && first.usage.outputTokens).toBeGreaterThan(0);
  expect(readFileSync(join(task.attempt.directory, "new.txt"), "utf8")).toBe("one\n");
  const conversation = await task.conversation();
  console.log(JSON.stringify(conversation.map(({ messageType, content, metadata }) => [messageType, content, metadata]), null, 1));

  const second = await task.run("and now?");
  console.log(first, second);
  expect(second).toMatchObject({ status: "success" });
  expect((await task.conversation()).at(-1)?.content).toBe("You said: do it.");
  expect(task.model.violations).toEqual([]);
});
