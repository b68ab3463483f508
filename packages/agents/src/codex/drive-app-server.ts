import { setTimeout as wait } from "node:timers/promises";
import type { PermissionMode } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine/json-fields";
import { type AgentProcess, startAgentProcess } from "../driver/agent-process.ts";
import type { DriverContext } from "../driver/driver.ts";
import type { DriverControl } from "../driver/driver-control.ts";
import { toPlanMessage } from "../driver/plan-message.ts";
import { toStartFailure } from "../driver/start-failure.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { type AppServerConnection, connectAppServer } from "./app-server-connection.ts";
import { toConfigArgs } from "./codex-config-args.ts";
import { toCodexInput } from "./codex-input.ts";
import { toCodexPermissions, toSandboxPolicy } from "./codex-permissions.ts";
import { type CodexThread, openCodexThread } from "./open-codex-thread.ts";
import { createOpenQuestions } from "./open-questions.ts";

/** The runner waits slightly longer than this after a stop before it kills. */
const interruptPatienceMs = 1500;
const answerPatienceMs = 3000;
const exitPatienceMs = { done: 3000, stopped: 300 };

/** One turn of `codex app-server`. Resolves with its exit code, or with `unsupported` if this version has no compatible app server. */
export async function driveAppServer(context: DriverContext): Promise<number | "unsupported"> {
  const { order, log, record, stop } = context;
  const agent = startAgentProcess(context, {
    command: order.command,
    args: ["app-server", ...toConfigArgs(order)],
    directory: order.directory,
  });
  const questions = createOpenQuestions(context, () => connection);
  const over = Promise.withResolvers<"completed" | "given-up">();
  let threadId: string | undefined;
  let turn = newTurn();

  const connection: AppServerConnection = connectAppServer(agent, { log, onRequest: (request) => questions.ask(request), onNotification });
  void connection.closed.then(() => over.resolve("given-up"));

  function onNotification(method: string, params: JsonObject): void {
    if (method === "serverRequest/resolved") questions.resolve(params);
    // A subagent's thread has its own turns.
    if (threadId === undefined || stringField(params, "threadId") !== threadId) return;
    if (method === "turn/started") turn.started.resolve(stringField(objectField(params, "turn"), "id") ?? "");
    else if (method === "item/completed") turn.plan = findPlan(objectField(params, "item")) ?? turn.plan;
    else if (method === "turn/completed") turn.completed.resolve(stringField(objectField(params, "turn"), "status") === "completed");
  }

  stop.addEventListener("abort", () => void interrupt());
  async function interrupt(): Promise<void> {
    if (threadId === undefined) agent.signal("SIGTERM"); // nothing has begun
    const turnId = await Promise.race([turn.started.promise, over.promise.then(() => undefined), wait(interruptPatienceMs / 3)]);
    // a plan waits for its answer between two turns
    if (threadId !== undefined && turnId !== undefined && !turn.isOver) {
      void connection.request("turn/interrupt", { threadId, turnId });
      await Promise.race([over.promise, wait(interruptPatienceMs)]);
    }
    over.resolve("given-up");
  }

  const opened = await openCodexThread(connection, context);
  if (opened.type !== "open") {
    const { exitCode, startError } = await end(agent, connection, stop);
    if (startError !== undefined) record(toStartFailure(order, startError));
    else if (opened.type === "unsupported" && !stop.aborted) return "unsupported";
    return exitCode;
  }
  threadId = opened.threadId;
  const talk = createTalk({ connection, threadId, started: () => turn.started.promise, over: over.promise, record });
  if (!stop.aborted) {
    context.onControl((control) => {
      if (control.type === "approval") {
        const { decision, reason } = control;
        void questions.answer(control, async () => {
          if (decision === "deny" && reason !== null) await Promise.race([talk.explain(reason), wait(answerPatienceMs)]);
        });
      } else if (control.type === "message") talk.steer(control);
      else questions.setMode(control.permissionMode); // the model applies from the next turn on
    });
    void converse(opened);
  }

  /** A turn, and another one after each plan: to carry it out, or to plan again. */
  async function converse(thread: CodexThread & { message: string }): Promise<void> {
    let mode = order.permissionMode;
    let input = toCodexInput(thread.message, order.images);
    let settings: JsonObject = mode === "plan" || thread.isPlanning ? toModeSettings(thread, mode) : {};
    while (!stop.aborted) {
      const begun = await connection.request("turn/start", { threadId: thread.threadId, input, ...settings });
      if (begun.type !== "result") return over.resolve("given-up");
      const isCompleted = await turn.completed.promise;
      turn.isOver = true;
      if (mode !== "plan" || !isCompleted || turn.plan === undefined) return over.resolve("completed");
      const answer = await questions.propose(turn.plan);
      if (answer.decision === "deny" && (answer.reason ?? "") === "") return over.resolve("completed");
      if (answer.decision !== "deny") mode = answer.plan?.mode ?? "ask";
      questions.setMode(mode);
      input = toCodexInput(mode === "plan" ? (answer.reason ?? "") : toPlanMessage(answer.plan ?? { mode }), []);
      settings = toModeSettings(thread, mode);
      turn = newTurn();
    }
  }

  const outcome = await over.promise;
  await Promise.race([talk.settled(), wait(answerPatienceMs)]);
  const { exitCode } = await end(agent, connection, stop);
  if (outcome === "completed") return 0;
  if (exitCode === 0 && !stop.aborted) {
    record({ type: "notice", text: { code: "ended-unfinished", agent: "Codex" }, code: "agent-error" });
    return 1;
  }
  return exitCode;
}

interface RunningTurn {
  started: PromiseWithResolvers<string>;
  /** False if it was interrupted or has failed. */
  completed: PromiseWithResolvers<boolean>;
  isOver: boolean;
  plan: ProposedPlan | undefined;
}

interface ProposedPlan {
  itemId: string;
  text: string;
}

function newTurn(): RunningTurn {
  return { started: Promise.withResolvers(), completed: Promise.withResolvers(), isOver: false, plan: undefined };
}

function findPlan(item: JsonObject | undefined): ProposedPlan | undefined {
  const itemId = stringField(item, "id");
  const text = stringField(item, "text") ?? "";
  return stringField(item, "type") === "plan" && itemId !== undefined && text.trim() !== "" ? { itemId, text } : undefined;
}

/** For a turn in another mode than the thread: omitted settings keep their values. */
function toModeSettings({ model, reasoningEffort }: CodexThread, mode: PermissionMode): JsonObject {
  return {
    approvalPolicy: toCodexPermissions(mode).approvalPolicy,
    sandboxPolicy: toSandboxPolicy(mode),
    collaborationMode: {
      mode: mode === "plan" ? "plan" : "default",
      settings: { model, reasoning_effort: reasoningEffort, developer_instructions: null },
    },
  };
}

/** Messages that the user sends while Codex works. */
function createTalk(input: {
  connection: AppServerConnection;
  threadId: string;
  started(): Promise<string>;
  over: Promise<unknown>;
  record: DriverContext["record"];
}) {
  const { connection, threadId, record } = input;
  const taken = new Set<string>();
  const pending = new Set<Promise<void>>();

  /** Only while the turn runs: earlier messages wait, later ones are not sent. */
  function during(say: (turnId: string) => Promise<void>): Promise<void> {
    const said = (async () => {
      const turnId = await Promise.race([input.started(), input.over.then(() => undefined)]);
      if (turnId !== undefined) await say(turnId);
    })();
    pending.add(said);
    void said.finally(() => pending.delete(said));
    return said;
  }

  return {
    /** A message that Codex no longer accepts is not recorded as sent: it becomes the next one. */
    steer({ id, text, images }: Extract<DriverControl, { type: "message" }>): void {
      if (taken.has(id)) return;
      taken.add(id);
      void during(async (expectedTurnId) => {
        const answer = await connection.request("turn/steer", { threadId, expectedTurnId, input: toCodexInput(text, images) });
        if (answer.type !== "result") return;
        record({ type: "user-message", messageId: id, text, ...(images.length === 0 ? {} : { images: [...images] }) });
      });
    },
    /** Codex's denial carries no text: the reason is sent before it, so that the model reads both together. */
    explain(reason: string): Promise<void> {
      return during(async (expectedTurnId) => {
        const text = `I did not allow that. The reason: ${reason}`;
        await connection.request("turn/steer", { threadId, expectedTurnId, input: toCodexInput(text, []) });
      });
    },
    settled: async (): Promise<void> => void (await Promise.allSettled(pending)),
  };
}

/** It exits when its stdin is closed. */
async function end(agent: AgentProcess, connection: AppServerConnection, stop: AbortSignal) {
  agent.closeStdin();
  const patienceMs = stop.aborted ? exitPatienceMs.stopped : exitPatienceMs.done;
  const isDone = Promise.all([agent.ended, connection.closed]).then(() => true);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (await Promise.race([isDone, wait(patienceMs, false)])) break;
    agent.signal(signal);
  }
  return agent.ended;
}
