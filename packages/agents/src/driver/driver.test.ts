import { type Attempt, attemptIdSchema, type Compression, executionIdSchema, type MessageEntity } from "@skein/contracts";
import { buildAttempt } from "@skein/testkit";
import { describe, expect, it } from "vitest";
import { createDrivenAgent, type DrivenAgentKind } from "./create-driven-agent.ts";
import { toSeededMessage } from "./seeded-message.ts";
import { toTranscript } from "./to-transcript.ts";

const executionId = executionIdSchema.parse("exe_abc");
const none: Compression = { summary: null, pruning: null };
const said: MessageEntity[] = [
  { id: 1, body: { role: "user", content: "Fix the login" } },
  {
    id: 2,
    body: {
      role: "assistant",
      content: "I look.",
      toolCalls: [{ id: "c", type: "function", function: { name: "read", arguments: '{"path":"login.ts"}' } }],
    },
  },
  {
    id: 3,
    body: { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "read", input: {}, result: "x".repeat(9000) }] },
  },
];

describe("an agent that joins an existing conversation", () => {
  it("[E3] gets the conversation so far as text, with long outputs cut", () => {
    const transcript = toTranscript(said, none) ?? "";
    for (const part of ["<user>\nFix the login", "I look.", '[calls read {"path":"login.ts"}]', "characters left out"]) {
      expect(transcript).toContain(part);
    }
    expect(transcript.length).toBeLessThan(3000);
    expect(toTranscript([], none)).toBeNull();
    expect(toSeededMessage({ transcript, message: "Continue.", directory: "/wt/b" })).toMatch(
      /^Here is what was said[\s\S]*folder \/wt\/b\.[\s\S]*<\/transcript>[\s\S]*\n\nContinue\.$/,
    );
    expect(toSeededMessage({ transcript: null, message: "Continue.", directory: "/wt/b" })).toBe("Continue.");
  });

  it("[E3, Q17] of a very long conversation, its start and its end, whole characters", () => {
    const long = Array.from(
      { length: 4000 },
      (_, i): MessageEntity => ({ id: i, body: { role: "user", content: `${i} ${"😀".repeat(40)}` } }),
    );
    const transcript = toTranscript(long, none) ?? "";
    expect(transcript.length).toBeLessThan(161_000);
    expect(transcript).toContain("<user>\n0 😀");
    expect(transcript).toContain("<user>\n3999 😀");
    expect(transcript.isWellFormed()).toBe(true);
  });
});

describe("launching", () => {
  const kind: DrivenAgentKind = {
    id: "codex",
    name: "Tool",
    driver: "command",
    program: { program: "sh", install: "see there", reportsVersion: false },
    environment: ["TOOL_*", "PROXY"],
    fixedEnvironment: { TOOL_QUIET: "1" },
    models: [],
    permissionControl: "none",
    planSupport: "none",
    systemPromptSupport: "none",
    loadDecoder: () => Promise.reject(new Error("not needed")),
  };
  const host = {
    environment: { PATH: "/bin", TOOL_KEY: "t", PROXY: "p", PROXY_SECRET: "s", ANTHROPIC_API_KEY: "a" },
    baseEnvironment: { PATH: "/bin" },
  };
  const attempt: Attempt = { ...buildAttempt({ agent: "codex" }), id: attemptIdSchema.parse("att_1"), sessionId: "ses_1" };
  const launch = (settings = {}, trustsRepositorySettings?: boolean) =>
    createDrivenAgent(kind, settings, host).createLaunch({
      attempt,
      executionId,
      message: "--help; $(rm -rf /)",
      images: [],
      history: said,
      compression: none,
      grants: [],
      environment: host.baseEnvironment,
      ...(trustsRepositorySettings === undefined ? {} : { trustsRepositorySettings }),
    });

  it("[X11] it gets the variables that it is known to need, and those of the user's config; no other key", async () => {
    const { environment } = await launch({ environment: { EXTRA: "e" } });
    expect(environment).toEqual({ PATH: "/bin", TOOL_KEY: "t", PROXY: "p", TOOL_QUIET: "1", EXTRA: "e" });
  });

  it("[X7] the user's message is in the driver's input; program and arguments come from Skein", async () => {
    const { driverOrder, ...rest } = await launch();
    expect(JSON.stringify(rest)).not.toContain("rm -rf");
    expect(JSON.parse(driverOrder)).toMatchObject({ message: "--help; $(rm -rf /)", sessionId: "ses_1", command: ["/bin/sh"] });
  });

  it("[X15] a stored session id that could be read as an option is not passed on", async () => {
    const stored = async (sessionId: string) => {
      const { driverOrder } = await createDrivenAgent(kind, {}, host).createLaunch({
        attempt: { ...attempt, sessionId },
        forkFrom: sessionId,
        executionId,
        message: "go",
        images: [],
        history: [],
        compression: none,
        grants: [],
        environment: {},
      });
      const { sessionId: passed, forkFrom } = JSON.parse(driverOrder) as { sessionId: string | null; forkFrom?: string };
      return [passed, forkFrom];
    };
    expect(await stored("ses_1")).toEqual(["ses_1", "ses_1"]);
    for (const id of ["--dangerously-skip-permissions", "-c", "", "a b", "a\nb", "x".repeat(501), "é"]) {
      expect(await stored(id)).toEqual([null, undefined]);
    }
  });

  it("[X8] nothing of the repository's settings is used unless it is trusted", async () => {
    const trusts = async (value?: boolean) => JSON.parse((await launch({}, value)).driverOrder).trustsRepository;
    expect([await trusts(), await trusts(false), await trusts(true)]).toEqual([false, false, true]);
  });
});
