import { setTimeout as wait } from "node:timers/promises";
import { type ClientContext, type ContentBlock, type InitializeResponse, RequestError } from "@agentclientprotocol/sdk";
import { objectField, stringField } from "@skein/engine/json-fields";
import { type AgentProcess, startAgentProcess } from "../driver/agent-process.ts";
import type { Driver, DriverContext } from "../driver/driver.ts";
import { toPlanMessage } from "../driver/plan-message.ts";
import { toSeededMessage } from "../driver/seeded-message.ts";
import { toStartFailure } from "../driver/start-failure.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { AcpFailure } from "./acp-failure.ts";
import { type AcpOptions, explainRefusal, getAcpOptions, toAcpStart } from "./acp-options.ts";
import { createAgentFiles } from "./agent-files.ts";
import { linkAgent } from "./agent-link.ts";
import { createAgentTerminals } from "./agent-terminals.ts";
import { type AnswerText, createAnswerText } from "./answer-text.ts";
import { elicitationMethod } from "./elicitation.ts";
import { explainDownloadFailure } from "./first-start.ts";
import { isHistoryRefusal } from "./history-refusal.ts";
import { createIdleDetector, type IdleDetector } from "./idle-detector.ts";
import { initializeAgent } from "./initialize-agent.ts";
import { type OpenSession, openNewSession, openSession } from "./open-session.ts";
import { createPendingElicitations, type PendingElicitations } from "./pending-elicitations.ts";
import { createPermissionRequests, type DenialReason, type PermissionRequests } from "./permission-requests.ts";
import { serveAgent } from "./serve-agent.ts";
import { createSessionSettings, noteMode, type SessionSettings } from "./session-settings.ts";
import { createSilenceWatch, type SilenceWatch } from "./silence-watch.ts";
import { UnaskedCalls } from "./unasked-calls.ts";

const cancelPatienceMs = 1500;
const exitPatienceMs = 5000;
/** Several agents keep running after their stdin is closed. Nothing more is expected of them. */
const answeredPatienceMs = 500;
/** A stop does not wait: the rest is killed with the execution. */
const hurriedPatienceMs = 300;
const drainMs = 500;

/** Updates that show that an agent has started to work on a prompt. */
const workUpdates = new Set(["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"]);

/** Drives any agent that implements the Agent Client Protocol over stdin and stdout. */
export const driveAcp: Driver = async (context) => {
  const { order, log, record, stop } = context;
  const options = getAcpOptions(order);
  const reason = explainRefusal(order, options);
  if (reason !== undefined) {
    record({ type: "end", status: "failed", reason, code: "repository-not-trusted" });
    return 0;
  }
  const workspace = await openWorkspace(order.directory, { trusted: order.trustedFiles });
  const files = createAgentFiles(workspace);
  const terminals = createAgentTerminals({ workspace, host: context });
  const permissions = createPermissionRequests({ order, options, record, log, files, endPrompt });
  const elicitations = createPendingElicitations(context);
  const idle = createIdleDetector();
  const silence = createSilenceWatch({ log, isWaiting: elicitations.hasOpen });
  const agent = startAgentProcess(context, {
    command: order.command,
    directory: order.directory,
    ...toAcpStart(order, options, context.environment),
  });
  const work: Work = { hasBegun: false, hasPrompt: false, prompt: Promise.resolve() };
  const unasked = new UnaskedCalls(order.directory);
  let hasReportedUnasked = false;
  const settings = createSessionSettings({ order, permissions, agent: () => connection.agent });
  const answerText = createAnswerText();

  function cancelPrompt(): void {
    const { sessionId } = settings.session ?? {};
    if (sessionId !== undefined) connection.agent.notify("session/cancel", { sessionId }).catch(() => {}); // the agent has exited
  }

  async function endPrompt(): Promise<void> {
    cancelPrompt();
    await Promise.race([work.prompt, wait(cancelPatienceMs, undefined, { ref: false })]);
  }

  function watch(message: JsonObject): ReturnType<PermissionRequests["take"]> | undefined {
    idle.onActivity();
    silence.see(message);
    if (message.method === elicitationMethod) {
      work.hasBegun = true;
      elicitations.take(message);
      return undefined;
    }
    if (message.method === "session/request_permission") {
      work.hasBegun = true;
      const asked = objectField(objectField(message, "params"), "toolCall");
      if (asked !== undefined) unasked.see(asked, { mode: permissions.mode(), isQuestion: true });
      return permissions.take(message);
    }
    const params = message.method === "session/update" ? objectField(message, "params") : undefined;
    const update = objectField(params, "update");
    if (update === undefined) return undefined;
    if (workUpdates.has(stringField(update, "sessionUpdate") ?? "")) work.hasBegun = true;
    permissions.see(update);
    answerText.see(update);
    watchMode(update);
    watchPermissions(update);
    terminals.see(update, stringField(params, "sessionId") ?? "");
    return undefined;
  }

  /** An agent may leave its plan mode for a mode of its own choice: it is switched to one in which it asks. */
  function watchMode(update: JsonObject): void {
    const { session } = settings;
    const mode = stringField(update, "sessionUpdate") === "current_mode_update" ? stringField(update, "currentModeId") : undefined;
    if (session !== undefined && mode !== undefined) noteMode(session, mode);
    if (permissions.endsPlanning(update)) void settings.applyMode();
  }

  /** Calls that a session replays from its history are not checked. */
  function watchPermissions(update: JsonObject): void {
    if (!work.hasPrompt || hasReportedUnasked || !unasked.see(update, { mode: permissions.mode() })) return;
    hasReportedUnasked = true;
    record({ type: "notice", text: { code: "acted-unasked", agent: order.name }, code: "permissions-ignored" });
  }

  const connection = serveAgent({ options, permissions, elicitations, files, terminals }).connect(linkAgent({ agent, log, watch }));
  const lost = agent.ended.then(() => wait(drainMs)).then(() => "gone" as const);
  const stopped = new Promise<"stopped">((resolve) => {
    stop.addEventListener("abort", () => setTimeout(resolve, cancelPatienceMs, "stopped"), { once: true });
  });
  const spoken = converse({
    ...context,
    agent: connection.agent,
    options,
    permissions,
    elicitations,
    idle,
    silence,
    work,
    settings,
    answerText,
    cancelPrompt,
  }).then(
    () => "done" as const,
    (error: unknown) => {
      if (connection.signal.aborted) return "gone" as const;
      recordFailure(context, error);
      return "done" as const;
    },
  );
  const how = await Promise.race([spoken, lost, stopped]);
  terminals.releaseAll();
  if (how === "gone" && !stop.aborted) await recordEnd(context, agent);
  return endAgent(agent, stop.aborted ? hurriedPatienceMs : how === "done" ? answeredPatienceMs : exitPatienceMs);
};

/** The agent exited before it answered. If it gives a reason by exit code and stderr, no notice is added. */
async function recordEnd({ order, record }: DriverContext, agent: AgentProcess): Promise<void> {
  const end = await Promise.race([agent.ended, wait(exitPatienceMs)]);
  const failed = end === undefined || end.exitCode === 0 ? undefined : explainDownloadFailure(order, await agent.readErrors());
  if (end?.startError !== undefined) record(toStartFailure(order, end.startError));
  else if (failed !== undefined) record({ type: "end", status: "failed", reason: failed, code: "agent-not-started" });
  else if (end === undefined || end.exitCode === 0) {
    record({ type: "end", status: "failed", reason: { code: "ended-before-answer", agent: order.name }, code: "no-answer" });
  }
}

interface Work {
  /** The agent has started to work on the current prompt. */
  hasBegun: boolean;
  hasPrompt: boolean;
  /** Settles when the current prompt ends. */
  prompt: Promise<unknown>;
}

type Conversation = DriverContext & {
  agent: ClientContext;
  options: AcpOptions;
  permissions: PermissionRequests;
  elicitations: PendingElicitations;
  idle: IdleDetector;
  silence: SilenceWatch;
  work: Work;
  settings: SessionSettings;
  answerText: AnswerText;
  cancelPrompt(): void;
};

async function converse(conversation: Conversation): Promise<void> {
  const { stop, record, options, permissions, settings, answerText, work } = conversation;
  // a form may be part of a login, before there is a session
  applyControls(conversation);
  const hello = await initializeAgent(conversation);
  let session = await prepareSession(conversation, await openSession(conversation, hello));
  let prompt: ContentBlock[] = toPrompt(conversation, hello, session.isNew);
  let maySendPlanAgain = false;
  while (!stop.aborted) {
    answerText.begin();
    const stopReason = await sendPrompt(conversation, session, prompt);
    if (stopReason === "history-refused") {
      session = await prepareSession(conversation, await openNewSession(conversation, hello));
      prompt = toPrompt(conversation, hello, session.isNew);
      continue;
    }
    // the cancellation for an edited plan may arrive late, and cancel the prompt that has the plan
    if (maySendPlanAgain && stopReason === "cancelled" && !work.hasBegun && !stop.aborted) {
      maySendPlanAgain = false;
      continue;
    }
    const plan = answerText.read();
    if (options.answersWithPlan === true && permissions.mode() === "plan" && stopReason === "end_turn" && plan !== "") {
      await permissions.propose(plan, session.sessionId);
    }
    const approved = stop.aborted ? undefined : permissions.takeApprovedPlan();
    const reasons = permissions.takeReasons();
    if (approved !== undefined) {
      await settings.applyMode();
      prompt = [{ type: "text", text: toPlanMessage(approved) }];
      maySendPlanAgain = true;
    } else if (reasons.length > 0 && goesOn(stopReason)) prompt = toReasonPrompt(reasons);
    else break;
  }
  // an agent that is cancelled while it retries a request reports a normal end
  if (stop.aborted) record({ type: "end", status: "cancelled" });
}

/** An agent may stop working after a denial: the user's reason is sent to it in the next prompt. */
function goesOn(stopReason: string): boolean {
  return stopReason === "end_turn" || stopReason === "cancelled";
}

/** The protocol's denial carries no text: without it the agent cannot follow the user's instructions. */
function toReasonPrompt(reasons: readonly DenialReason[]): ContentBlock[] {
  const lines = reasons.map(({ title, reason, isPlan }) =>
    isPlan ? `I do not approve the plan yet. Plan again: ${reason}` : `I did not allow “${title}”: ${reason}`,
  );
  return [{ type: "text", text: lines.join("\n") }];
}

async function prepareSession({ settings, idle }: Conversation, session: OpenSession): Promise<OpenSession> {
  if (session.replays) await idle.untilIdle();
  await settings.open(session);
  return session;
}

/** Resolves when the agent is done; with `history-refused` if it has done nothing and a new session can be used instead. */
async function sendPrompt({ agent, order, silence, work }: Conversation, session: OpenSession, prompt: ContentBlock[]): Promise<string> {
  const { sessionId, isNew } = session;
  work.hasBegun = false;
  const endWatch = silence.begin();
  work.hasPrompt = true;
  try {
    const answer = agent.request("session/prompt", { sessionId, prompt });
    work.prompt = answer.catch(() => {});
    return (await answer).stopReason;
  } catch (error) {
    if (isNew || order.transcript === null || work.hasBegun || !isHistoryRefusal(error)) throw error;
    return "history-refused";
  } finally {
    endWatch();
  }
}

function toPrompt({ order, record }: Conversation, { agentCapabilities }: InitializeResponse, isNew: boolean): ContentBlock[] {
  const takesImages = agentCapabilities?.promptCapabilities?.image === true;
  if (!takesImages && order.images.length > 0) {
    record({ type: "notice", text: { code: "images-left-out", agent: order.name }, code: "images-left-out" });
  }
  const images = takesImages ? order.images.map(({ mediaType, data }): ContentBlock => ({ type: "image", mimeType: mediaType, data })) : [];
  return [{ type: "text", text: isNew ? toSeededMessage(order) : order.message }, ...images];
}

function applyControls({ permissions, elicitations, settings, onControl, stop, cancelPrompt }: Conversation): void {
  stop.addEventListener("abort", () => {
    permissions.cancelAll();
    elicitations.cancelAll();
    cancelPrompt();
  });
  onControl((control) => {
    if (control.type === "approval") {
      elicitations.answer(control);
      permissions.answer(control);
    }
    // a message waits for the next prompt: the protocol accepts none while one runs
    if (control.type === "settings") settings.change(control);
  });
}

/** The agent's own errors are in the log; others are added. */
function recordFailure({ record, stop }: DriverContext, error: unknown): void {
  if (stop.aborted || error instanceof RequestError) return;
  if (!(error instanceof AcpFailure)) throw error;
  record({ type: "end", status: "failed", reason: error.reason, code: error.code });
}

/** Agents exit when their stdin is closed. Ending one that does not is not a failure: its work is done. */
async function endAgent(agent: AgentProcess, patienceMs: number): Promise<number> {
  agent.closeStdin();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const end = await Promise.race([agent.ended, wait(patienceMs)]);
    if (end !== undefined) return signal === "SIGTERM" ? end.exitCode : 0;
    agent.signal(signal);
  }
  return 0;
}
