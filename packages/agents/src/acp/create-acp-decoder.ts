import { isSessionId, type JsonValue } from "@skein/contracts";
import { type AgentDecoder, arrayField, countField, objectField, stringField, takeStart } from "@skein/engine";
import { AssistantBlocks, type AssistantBlocksState } from "../lines/assistant-blocks.ts";
import { type DecoderState, readDecoderSnapshot } from "../lines/decoder-snapshot.ts";
import { createJsonLineDecoder, type DecoderOptions, type LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toPlanItems } from "../lines/plan-items.ts";
import { PlanUpdates, type PlanUpdatesState } from "../lines/plan-updates.ts";
import { SentRequests, type SentRequestsState, toRequestId } from "../lines/sent-requests.ts";
import { StandingNotice, type StandingNoticeState } from "../lines/standing-notice.ts";
import { AcpCalls, type AcpCallsState } from "./acp-calls.ts";
import { showElicitation, showElicitationAnswer } from "./acp-elicitations.ts";
import { findCallDanger, findNotedGrant } from "./acp-grants.ts";
import { AcpLevels, type AcpLevelsState } from "./acp-levels.ts";
import { AcpText, type AcpTextState } from "./acp-text.ts";
import { AcpUsage, type AcpUsageState } from "./acp-usage.ts";
import { readCopilotReport } from "./copilot-reports.ts";
import { elicitationMethod, elicitationUpdate } from "./elicitation.ts";
import { addToAnswer, isLimitText } from "./limit-text.ts";
import { toPermissionOptions } from "./permission-options.ts";
import { toPromptEnd, toRpcErrorText } from "./prompt-end.ts";
import { toSessionOptions } from "./session-options.ts";
import { silenceUpdate, silentAfterMs } from "./silence-watch.ts";

const kind = { decoder: "acp", version: 1 } as const;

/** The requests that Skein sends; all others come from the agent. */
const sentMethods = /^(?:initialize|authenticate|logout|session\/(?!request_permission$|update$|elicitation))/;

const maxIdLength = 500;
const sessionMethods = new Set(["session/load", "session/resume"]);
/** Updates that show that the agent is working. */
const workUpdates = new Set(["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"]);
const fatalMethods = new Set(["initialize", "authenticate", "session/new", "session/prompt"]);

type State = DecoderState & {
  blocks: AssistantBlocksState;
  levels?: AcpLevelsState;
  calls: AcpCallsState;
  text: AcpTextState;
  plan: PlanUpdatesState;
  sent: SentRequestsState;
  usage: AcpUsageState;
  sessionId: string | null;
  loading: string | null;
  isHistory: boolean;
  agentName?: string;
  retries?: StandingNoticeState;
  silence?: StandingNoticeState;
  failure?: string | null;
  answer?: string | null;
};

export interface AcpDecoderOptions extends DecoderOptions {
  /** `show`: history that an agent replays when it loads a session is decoded as new. */
  history?: "ignore" | "show";
}

/**
 * Decodes the log of any ACP agent: what the agent writes, and the requests that were sent to it. Those identify what an answer belongs
 * to, and that everything between loading a session and the prompt is history (one agent answers the load before it has replayed most of
 * it). Our answers are not in the log: their ids are the agent's.
 */
export function createAcpDecoder(options: AcpDecoderOptions): AgentDecoder {
  const state = options.snapshot === undefined ? undefined : readDecoderSnapshot<State>(options.snapshot, kind);
  const blocks = new AssistantBlocks(state?.blocks);
  const levels = new AcpLevels(blocks, state?.levels);
  const calls = new AcpCalls(levels, state?.calls);
  const text = new AcpText(levels, state?.text);
  const plan = new PlanUpdates(state?.plan);
  const sent = new SentRequests(state?.sent);
  const usage = new AcpUsage(state?.usage);
  let sessionId = state?.sessionId ?? null;
  /** The session that is being loaded: the answer does not name it. */
  let loading = state?.loading ?? null;
  let isHistory = state?.isHistory ?? false;
  /** The agent's name in its `initialize` answer. */
  let agentName = state?.agentName ?? "";
  const retries = new StandingNotice("agent-retry", state?.retries);
  const silence = new StandingNotice("agent-silent", state?.silence);
  /** Why the prompt failed, for an agent that reports a normal end. */
  let failure = state?.failure ?? null;
  /** The beginning of the text that the prompt was answered with; null once there was work. */
  let answer = state?.answer ?? null;

  function read(value: JsonObject, context: LineContext): boolean {
    const method = stringField(value, "method");
    const params = objectField(value, "params");
    if (method === undefined) return readAnswer(value, context);
    if (method === "session/update") {
      const update = objectField(params, "update");
      if (update === undefined) return true;
      const known = usage.see(update, isHistory) ? usage.progress() : undefined;
      if (known !== undefined) context.emit({ type: "usage", usage: known, at: context.at });
      if (!isHistory || options.history === "show") readUpdate(update, context);
    } else if (method === "session/request_permission") {
      if (params !== undefined) readPermission(value, params, context);
    } else if (method === elicitationMethod) {
      text.close();
      showElicitation(value, blocks, context);
    } else if (sentMethods.test(method)) {
      readSent(value, method, params);
    }
    // Other requests and notifications of the agent concern its driver: files, terminals, extensions.
    return true;
  }

  function readSent(value: JsonObject, method: string, params: JsonObject | undefined): void {
    sent.add(value, method);
    if (method === "session/cancel") calls.cancel();
    if (method === "session/prompt") {
      isHistory = false;
      failure = null;
      answer = "";
      calls.begin();
    }
    if (!sessionMethods.has(method)) return;
    isHistory = true;
    loading = stringField(params, "sessionId")?.slice(0, maxIdLength) ?? null;
  }

  function readUpdate(update: JsonObject, context: LineContext): void {
    const { ids, at, emit } = context;
    const kind = stringField(update, "sessionUpdate") ?? "";
    if (workUpdates.has(kind)) endSilence(context);
    switch (kind) {
      case silenceUpdate:
        silence.show(() => ({ code: "model-silent", seconds: countField(update, 1, "seconds") ?? 1 }), context);
        return;
      case elicitationUpdate:
        showElicitationAnswer(update, blocks, context);
        return;
      case "agent_message_chunk":
        if (agentName === "Copilot" && readReport(update, context)) return;
        answer = addToAnswer(answer, stringField(objectField(update, "content"), "text") ?? "");
        text.add("text", update, context);
        return;
      case "agent_thought_chunk":
        text.add("thinking", update, context);
        return;
      case "tool_call":
      case "tool_call_update":
        answer = null;
        text.close();
        calls.update(update, context);
        return;
      case "plan":
        text.close();
        plan.show(toPlanItems(arrayField(update, "entries") ?? []), blocks, context);
        return;
      case "current_mode_update": {
        const mode = stringField(update, "currentModeId", "modeId");
        text.close();
        if (mode !== undefined) emit({ type: "notice", messageId: ids.next(), text: { code: "agent-mode", mode }, code: "mode", at });
        return;
      }
    }
  }

  function endSilence(context: LineContext): void {
    silence.close(context, (shownMs) => ({ code: "model-was-silent", seconds: Math.round((silentAfterMs + shownMs) / 1000) }));
  }

  /** Copilot CLI's reports about its requests are not model output. */
  function readReport(update: JsonObject, context: LineContext): boolean {
    const report = readCopilotReport(stringField(objectField(update, "content"), "text") ?? "");
    if (report === undefined) {
      retries.close(context);
      failure = null;
      return false;
    }
    if (report.type === "created") return true;
    text.close();
    if (report.type === "retry") retries.show((attempt) => ({ code: "model-retried", attempt }), context);
    else failure = report.reason;
    return true;
  }

  function readPermission(value: JsonObject, params: JsonObject, context: LineContext): void {
    const toolCall = objectField(params, "toolCall");
    const id = toRequestId(value);
    if (toolCall === undefined || id === undefined) return;
    text.close();
    // Both are needed to answer: the request id, and the option for each decision.
    const requestId = JSON.stringify({ id: JSON.parse(id), options: toPermissionOptions(params) });
    const reason = findCallDanger(toolCall) ?? stringField(toolCall, "title");
    const grant = options.directory === undefined ? undefined : findNotedGrant(params, toolCall, options.directory);
    calls.ask(toolCall, { requestId, ...(reason === undefined ? {} : { reason }), ...(grant === undefined ? {} : { grant }) }, context);
  }

  function readAnswer(value: JsonObject, context: LineContext): boolean {
    const { ids, at, emit } = context;
    const error = objectField(value, "error");
    const method = sent.take(value);
    if (error === undefined) {
      if (!Object.hasOwn(value, "result")) return false;
      readResult(method, objectField(value, "result") ?? {}, context);
      return true;
    }
    text.close();
    endSilence(context);
    const message = toRpcErrorText(error);
    if (method !== undefined && sessionMethods.has(method)) {
      emit({ type: "end", status: "failed", reason: message, code: "session-not-found", at });
    } else if (method === undefined || fatalMethods.has(method)) {
      emit({ type: "end", status: "failed", reason: message, at });
    } else {
      emit({ type: "notice", messageId: ids.next(), text: message, code: "agent-error", at });
    }
    return true;
  }

  function readResult(method: string | undefined, result: JsonObject, context: LineContext): void {
    const { at, emit } = context;
    const stopReason = stringField(result, "stopReason");
    if (stopReason !== undefined && (method === undefined || method === "session/prompt")) {
      text.close();
      endSilence(context);
      if (stopReason !== "cancelled") blocks.end(context);
      const end = toPromptEnd(stopReason, usage.end(result, agentName), at);
      failure ??= answer !== null && isLimitText(answer, at) ? answer : null;
      emit(end.status === "success" && failure !== null ? { ...end, status: "failed", reason: failure } : end);
      return;
    }
    const id = stringField(result, "sessionId") ?? (method !== undefined && sessionMethods.has(method) ? loading : null);
    if (method === "initialize") agentName = takeStart(stringField(objectField(result, "agentInfo"), "name") ?? "", maxIdLength);
    if (method === "session/new") usage.begin();
    if (id !== null && id !== sessionId && isSessionId(id)) {
      sessionId = id;
      const model = stringField(objectField(result, "models"), "currentModelId");
      emit({ type: "session", sessionId: id, ...(model === undefined ? {} : { model }), at });
    }
    if (method === "session/new" || (method !== undefined && sessionMethods.has(method)))
      emit({ type: "session-options", options: toSessionOptions(result), at });
  }

  const save = () =>
    ({
      ...kind,
      blocks: blocks.save(),
      levels: levels.save(),
      calls: calls.save(),
      text: text.save(),
      plan: plan.save(),
      sent: sent.save(),
      usage: usage.save(),
      sessionId,
      loading,
      isHistory,
      agentName,
      retries: retries.save(),
      silence: silence.save(),
      failure,
      answer,
    }) as unknown as JsonValue;
  return createJsonLineDecoder(options, { read, save });
}
