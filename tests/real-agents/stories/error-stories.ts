import type { ErrorReply } from "@skein/testkit/model-servers";
import { expect, test, vi } from "vitest";
import { isLong } from "../../support/long.ts";
import { toShownLines } from "../acp-scenarios.ts";
import { openTestedAgent, type TestedTask } from "../agents/open-agents.ts";
import type { TestedAgent } from "../agents/tested-agent.ts";
import { prove } from "../matrix/prove.ts";
import type { Story } from "../matrix/stories.ts";

const quota: Readonly<Record<TestedAgent["api"], ErrorReply>> = {
  anthropic: {
    status: 400,
    type: "invalid_request_error",
    message: "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  },
  "openai-chat": toOpenAiQuota(),
  "openai-responses": toOpenAiQuota(),
  gemini: {
    status: 429,
    type: "RESOURCE_EXHAUSTED",
    message: "You exceeded your current quota, please check your plan and billing details.",
  },
};

function toOpenAiQuota(): ErrorReply {
  const message = "You exceeded your current quota, please check your plan and billing details.";
  return { status: 429, type: "insufficient_quota", code: "insufficient_quota", message };
}

/** Worded like a quota error; only the delay distinguishes it. */
const geminiRateLimit: ErrorReply = { ...quota.gemini, message: `${quota.gemini.message} Please retry in 2s.` };

const patience = { timeout: 800_000, interval: 500 };

/** The remedy that each failure ends with: our own sentence, whatever the agent reports. */
const errors = {
  "error-401": /(?:did not accept .*key|login was not accepted).* (?:Check|Run)/i,
  "error-429": /Wait a minute, then send a message to retry\.$/,
  "error-500": /temporary: send a message to retry\.$/,
  "error-quota": /Check its plan and billing, or choose another model\.$|Add credit at/,
  "error-network": /Check the network and the proxy settings, then send a message to retry\.$/,
} satisfies Partial<Record<Story, RegExp>>;

/** An agent that never gives up, or that reports a different error than it got. */
async function stopOnceShown(task: TestedTask, shown: RegExp): Promise<void> {
  await vi.waitFor(async () => expect(toShownLines(await task.conversation()).join("\n")).toMatch(shown), patience);
  const [execution] = await task.server.api.executions(task.attempt.id);
  if (execution?.status === "running") await task.stop();
}

/** Several agents retry for minutes before they give up, so these run in test:long. */
export function describeErrors(agent: TestedAgent): void {
  test.runIf(isLong).for(Object.entries(errors) as [keyof typeof errors, RegExp][])(
    "[E5] %s: one sentence with the reason and the remedy, one notice about the silence, and the next message works",
    { timeout: 900_000 },
    async ([story, remedy], { task: { meta } }) => {
      const task = await openTestedAgent(agent);
      const limit = agent.limits[story];
      if (story === "error-network") await task.provider.close();
      else if (story === "error-quota") task.fail(quota[agent.api]);
      else if (story === "error-429" && agent.api === "gemini") task.fail(geminiRateLimit);
      else task.fail({ status: Number(story.slice(-3)) });
      await prove(meta, agent, story, async () => {
        const executionId = await task.send("Do it");
        if (limit?.shown !== undefined) await stopOnceShown(task, limit.shown);
        const execution = await vi.waitFor(async () => {
          const [one] = await task.server.api.executions(task.attempt.id);
          expect(one?.status).not.toBe("running");
          return one;
        }, patience);
        const conversation = await task.conversation();
        const seen = `${JSON.stringify(execution)}\n${toShownLines(conversation).join("\n")}`;
        expect(execution?.id).toBe(executionId);
        if (limit === undefined) expect(execution, seen).toMatchObject({ status: "failed", reason: expect.stringMatching(remedy) });
        const notices = conversation.filter(({ messageType }) => messageType === "notice");
        expect(notices.length, seen).toBeLessThanOrEqual(2);
        if (story === "error-network") return;
        task.script({ text: "Back." });
        expect(await task.run("Again")).toMatchObject({ status: "success" });
        expect((await task.conversation()).at(-1)?.content).toBe("Back.");
      });
    },
  );
}
