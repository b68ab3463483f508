import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, Execution, ToolExecutionMessage } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { buildMessages, subjects } from "../packages/providers/src/testing/requests.fixture.ts";
import { type KillPoint, killPointVariable, struckFile } from "./kill-points/kill-point.ts";
import { type EventStream, openEventStream } from "./support/event-stream.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";
import { expectKept, shownBy } from "./support/shown-messages.ts";

const isLong = process.env.SKEIN_TEST_LONG === "1";

/** Each command appends its own line; an edit that was made twice would show in the file. */
const model = newScriptedModel([
  {
    reasoning: "Erst zählen – 先数一数 🧵.",
    text: "I count, and change a file. 🧵",
    toolCalls: [
      bash("echo one-$SKEIN_EXECUTION_ID >> count.txt; echo counted"),
      { name: "edit", arguments: { path: "hello.js", oldText: "Hello, ", newText: "Hello, Hello, " } },
    ],
  },
  { text: "Once more.", toolCalls: [bash("echo two-$SKEIN_EXECUTION_ID >> count.txt")] },
  { text: "All of it is done. ✓" },
]);

interface Victims extends Pick<KillPoint, "process" | "victims"> {
  name: string;
  moments: readonly KillPoint["moment"][];
  /** Kill points of the quick run. */
  samples: readonly Pick<KillPoint, "write" | "moment">[];
}

const cases: Victims[] = [
  {
    name: "the agent, at every record",
    process: "agent",
    victims: ["agent"],
    moments: ["before", "in the middle of", "after"],
    samples: [
      { write: 4, moment: "after" },
      { write: 7, moment: "before" },
      { write: 9, moment: "in the middle of" },
    ],
  },
  {
    name: "the runner, at every write",
    process: "runner",
    victims: ["runner"],
    moments: ["before", "in the middle of", "after"],
    samples: [
      { write: 1, moment: "after" },
      { write: 8, moment: "before" },
      { write: 10, moment: "before" },
      { write: 13, moment: "in the middle of" },
    ],
  },
  {
    name: "the runner, the agent and the server, at every write of the runner",
    process: "runner",
    victims: ["server", "agent", "runner"],
    moments: ["before", "in the middle of", "after"],
    samples: [
      { write: 3, moment: "before" },
      { write: 10, moment: "in the middle of" },
    ],
  },
  {
    name: "the server, at every commit",
    process: "server",
    victims: ["server"],
    moments: ["before", "after"],
    samples: [
      { write: 1, moment: "before" },
      { write: 1, moment: "after" },
      { write: 2, moment: "after" },
      { write: 3, moment: "before" },
    ],
  },
];

interface Bench {
  server: RealServer;
  projectId: string;
  killPointFile: string;
}

async function startBench(): Promise<Bench> {
  const killPointFile = join(newFolder("kill"), "point.json");
  const program = new URL("./kill-points/load-kill-points.mjs", import.meta.url).href;
  const server = await startRealServer({ environment: { NODE_OPTIONS: `--import=${program}`, [killPointVariable]: killPointFile } });
  return { server, killPointFile, projectId: (await server.api.createProject(newRepository())).id };
}

/** False if the run ended before that write. */
async function killAt(bench: Bench, point: KillPoint): Promise<boolean> {
  const { server, killPointFile } = bench;
  const task = await server.api.createTask(bench.projectId);
  const attempt = await server.api.createAttempt(task.id, { model });
  const stream = await openEventStream(server.api);
  const commandId = randomUUID();
  const accepted = await arm(killPointFile, point, () => server.api.send(task.id, "Go", commandId).catch(() => undefined));
  const isServerKilled = await Promise.race([
    stream.ended.then(() => true),
    stream.waitFor(isEnd(accepted?.executionId)).then(
      () => false,
      () => true,
    ),
  ]);
  const struck = existsSync(struckFile(killPointFile));
  for (const file of [killPointFile, struckFile(killPointFile)]) rmSync(file, { force: true });
  if (isServerKilled) {
    expect(struck).toBe(true);
    await server.kill();
    await server.start();
  }

  // a client without a response retries with the same id
  const { executionId = "" } = accepted ?? (await server.api.send(task.id, "Go", commandId));
  const after = await openEventStream(server.api, { after: 0 });
  await after.waitFor(isEnd(executionId));
  expect(findExecutionProcesses({ executionId })).toEqual([]);
  const { messages } = await server.api.conversation(task.id);
  expectKept(shownBy(stream, task.id).values(), messages);
  const [execution] = await server.api.executions(attempt.id);
  const cards = messages.filter((message) => message.messageType === "tool_execution");
  expect(cards.filter(({ metadata }) => metadata.state === "running")).toEqual([]);
  if (execution?.status !== "success") expectToldHonestly(execution, messages.at(-1)?.content);
  if (!struck || !point.victims.some((victim) => victim !== "server")) expect(execution).toMatchObject({ status: "success" });
  expectRunOnce(attempt, cards, executionId);
  await expectAcceptedByAll(server, attempt, cards);

  const second = await server.api.send(task.id, "Go on");
  await after.waitFor(isEnd(second.executionId));
  expect(await server.api.executions(attempt.id)).toMatchObject([{ id: executionId }, { status: "success" }]);
  await expectAcceptedByAll(server, attempt);
  for (const open of [stream, after]) open.close();
  return struck;
}

async function arm<T>(file: string, point: KillPoint, start: () => Promise<T>): Promise<T> {
  writeFileSync(file, JSON.stringify(point));
  return start();
}

const isEnd =
  (executionId: string | undefined) =>
  ({ event }: EventStream["seen"][number]): boolean =>
    event.type === "execution:completed" && event.executionId === executionId;

/** Whatever did not succeed reports it, with the reason. */
function expectToldHonestly(execution: Execution | undefined, lastWords: string | undefined): void {
  expect(execution).toMatchObject({ status: expect.stringMatching(/^(interrupted|failed)$/), reason: expect.any(String) });
  expect(execution).toMatchObject({ reason: lastWords });
}

/** At most once, and exactly once if the card shows that it ran. */
function expectRunOnce({ directory }: Attempt, cards: readonly ToolExecutionMessage[], executionId: string): void {
  const file = join(directory, "count.txt");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  for (const word of ["one", "two"]) {
    const runs = lines.filter((line) => line === `${word}-${executionId}`).length;
    const card = cards.find(({ metadata }) => JSON.stringify(metadata.input).includes(`echo ${word}-`));
    expect(runs, `${word} ran ${runs} times`).toBeLessThanOrEqual(card === undefined ? 0 : 1);
    if (card?.metadata.state === "completed") expect(runs).toBe(1);
  }
  const greetings = readFileSync(join(directory, "hello.js"), "utf8").split("Hello, ").length - 1;
  const edit = cards.find(({ metadata }) => metadata.toolName === "edit");
  expect(greetings).toBeLessThanOrEqual(edit === undefined ? 1 : 2);
  if (edit?.metadata.state === "completed") expect(greetings).toBe(2);
}

/** The stored history builds to a request that every provider accepts, and informs the model about what may have run. */
async function expectAcceptedByAll(server: RealServer, attempt: Attempt, cards: readonly ToolExecutionMessage[] = []): Promise<void> {
  const history = (await server.api.messages(attempt.id)).map(({ body }) => body);
  const results = history.flatMap((body) => (body.role === "tool" ? body.content : []));
  for (const { metadata } of cards.filter((card) => card.metadata.state === "interrupted")) {
    expect(results.find((result) => result.toolCallId === metadata.toolUseId)?.result).toContain("the tool may have run");
  }
  const messages = buildMessages(history);
  expect(messages).toBeDefined();
  for (const { modelId, toBody, check } of subjects) expect(check(toBody(messages ?? [], [])), modelId).toEqual([]);
}

describe.each(cases)("kill -9 of $name", ({ process: at, victims, moments, samples }) => {
  if (!isLong) {
    test("[Q4, Q5, P5] at a few of them: nothing runs twice, everything shown is kept, every provider accepts the history, and the agent continues", {
      timeout: 240_000,
    }, async () => {
      const bench = await startBench();
      for (const sample of samples) expect(await killAt(bench, { process: at, victims, ...sample })).toBe(true);
    });
    return;
  }
  test.each(moments)(
    "[Q4, Q5, P5] %s each of them: nothing runs twice, everything shown is kept, every provider accepts the history, and the agent continues",
    { timeout: 1_200_000 },
    async (moment) => {
      const bench = await startBench();
      let write = 1;
      while (await killAt(bench, { process: at, victims, moment, write })) write++;
      console.info(`killed ${victims.join(", ")} ${moment} each of ${write - 1} writes of the ${at}`);
      expect(write).toBeGreaterThan(samples.at(-1)?.write ?? 0);
    },
  );
});
