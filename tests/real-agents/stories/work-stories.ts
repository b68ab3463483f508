import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolExecutionMessage } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { findSession, findTools, pixel, toShownLines, wait } from "../acp-scenarios.ts";
import { openTestedAgent, type TestedTask } from "../agents/open-agents.ts";
import type { TestedAgent } from "../agents/tested-agent.ts";
import { prove } from "../matrix/prove.ts";
import type { AgentExpectations } from "./agent-stories.ts";

export const usage = { inputTokens: 1000, cachedInputTokens: 200, outputTokens: 50, reasoningTokens: 0 };

/** Codex names files by their path in the folder, as its instructions require. */
export const pathIn = ({ attempt }: TestedTask, agent: TestedAgent, name: string): string =>
  agent.api === "openai-responses" ? name : join(attempt.directory, name);

function toFacts({ metadata }: ToolExecutionMessage) {
  const { details } = metadata;
  // Skein's own agent writes the exit code where its model reads it
  const output = metadata.output.replace(/\n?\[exit code \d+\]\s*$/, "");
  if (details?.type === "commandOutput") return { output: output.trim(), exitCode: details.data.exitCode };
  if (details?.type === "diff") return { change: details.data.change, start: details.data.hunks[0]?.oldStart };
  return { output: output.trim() };
}

/** One execution with every kind of card, an image and a killed server in the middle; then a second message. */
export function describeWork(agent: TestedAgent, expected: AgentExpectations): void {
  test("[T7, T8, E3, E9, Q5, Q7] cards, image and tokens arrive, a killed server loses nothing, and the session is resumed", async ({
    task: { meta },
  }) => {
    const task = await openTestedAgent(agent);
    const { directory } = task.attempt;
    writeFileSync(join(directory, "notes.txt"), Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join(""));
    const at = (name: string) => pathIn(task, agent, name);
    const calls = [
      agent.read(at("notes.txt")),
      agent.run("echo printed"),
      agent.run("echo before; exit 3"),
      agent.edit(at("notes.txt"), "line 12\n", "line twelve\n"),
      agent.write(at("made.txt"), "one\ntwo\n"),
      agent.run("touch waits; until [ -e gate ]; do sleep 0.1; done; echo opened"),
    ];
    task.script(...calls.map((call) => ({ toolCalls: [call], usage })), { text: "All done: heron.", usage });
    const executionId = await task.send("Look at this", [pixel]);
    await vi.waitFor(() => expect(existsSync(join(directory, "waits"))).toBe(true), wait);
    await task.server.kill();
    writeFileSync(join(directory, "gate"), "");
    await task.server.start();
    const execution = await task.ended(executionId);
    expect(execution).toMatchObject({ status: "success" });
    const conversation = await task.conversation();
    const cards = findTools(conversation).map(toFacts);

    await prove(meta, agent, "server-kill", () => {
      const said = toShownLines(conversation).filter((line) => line.startsWith("text "));
      expect(said).toEqual(["text Look at this", "text All done: heron."]);
      expect(cards).toHaveLength(calls.length);
      expect(cards.at(-1)?.output).toBe("opened");
    });
    await prove(meta, agent, "cards", () => {
      const [read, printed, failed, edit, made] = cards;
      expect(read?.output?.includes("line 12")).toBe(agent.limits.cards === undefined);
      expect(failed?.output).toMatch(/^(?:Exit code 3\n)?before$/);
      const exitCodes = agent.limits.cards === undefined ? [0, 3] : [null, null];
      expect([printed, failed]).toEqual([
        { output: "printed", exitCode: exitCodes[0] },
        { output: expect.any(String), exitCode: exitCodes[1] },
      ]);
      expect([edit, made]).toEqual([
        { change: "updated", start: expected.diffStart },
        { change: "created", start: 0 },
      ]);
    });
    await prove(meta, agent, "image", () => {
      const isSent = JSON.stringify(task.requests()[0]?.body).includes(pixel.data);
      expect(isSent).toBe(agent.limits.image === undefined);
    });
    await prove(meta, agent, "tokens", () => {
      const reported = execution.status === "running" ? {} : execution.usage;
      const sum = calls.length + 1;
      const whole = { inputTokens: 1000 * sum, outputTokens: 50 * sum, cacheReadTokens: 200 * sum };
      const { isPartial = false, cacheReadTokens } = reported;
      if (agent.limits.tokens === undefined) expect(reported).toMatchObject(whole);
      else if (agent.limits.tokens.offered === "no") expect(reported).toEqual({});
      else expect({ isPartial, hasCached: cacheReadTokens !== undefined }).toEqual({ isPartial, hasCached: isPartial });
    });
    await prove(meta, agent, "resume", async () => {
      const sessionId = await findSession(task);
      task.script({ text: "Still heron.", usage });
      expect(await task.run("And now?")).toMatchObject({ status: "success" });
      expect((await task.conversation()).at(-1)?.content).toBe("Still heron.");
      expect((await findSession(task)) === sessionId).toBe(agent.limits.resume === undefined);
      expect(JSON.stringify(task.requests().at(-1)?.body).includes("All done: heron.")).toBe(true);
    });
    // Gemini CLI sends a session with tool calls in a form that its API rejects; it then continues in a new one
    if (agent.limits.resume === undefined) expect(task.provider.violations).toEqual([]);
  });
}
