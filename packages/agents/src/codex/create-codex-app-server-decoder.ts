import { isSessionId, type JsonValue, type Usage } from "@skein/contracts";
import { type AgentDecoder, addUsage, arrayField, booleanField, objectField, stringField } from "@skein/engine";
import { type DecoderState, readDecoderSnapshot } from "../lines/decoder-snapshot.ts";
import { toErrorMessage } from "../lines/error-text.ts";
import { createJsonLineDecoder, type DecoderOptions, type LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { SentRequests, type SentRequestsState, toRequestId } from "../lines/sent-requests.ts";
import { StandingNotice, type StandingNoticeState } from "../lines/standing-notice.ts";
import { toCodexItem } from "./codex-item.ts";
import { CodexItems, type CodexItemsState } from "./codex-items.ts";
import { toCodexLimit } from "./codex-limit.ts";
import { CodexQuestions, type CodexQuestionsState } from "./codex-questions.ts";
import { subtractUsage, toCodexUsage } from "./codex-usage.ts";
import { explainCodexFailure } from "./explain-codex-failure.ts";

const kind = { decoder: "codex-app-server", version: 2 } as const;

/** The requests that Skein sends. All other requests come from Codex. */
const sentMethods =
  /^(?:initialize|initialized|account\/read|thread\/(?:start|resume|fork|list|turns\/list)|turn\/(?:start|steer|interrupt))$/;

/** Failures that do not end the work. */
const dispensable: ReadonlySet<string> = new Set(["account/read", "thread/list", "thread/turns/list", "turn/steer", "turn/interrupt"]);

const maxIdLength = 500;

interface Turn {
  id: string;
  /** The thread's usage when the execution began. */
  before: Usage | null;
  usage: Usage | null;
}

type State = DecoderState & {
  items: CodexItemsState;
  sent: SentRequestsState;
  questions: CodexQuestionsState;
  sessionId: string | null;
  total: Usage | null;
  turn: Turn | null;
  /** Of the turns that have ended. */
  spent?: Usage | null;
  retries?: StandingNoticeState;
  model?: string | null;
  limits?: JsonValue;
};

/**
 * Decodes `codex app-server`: JSON-RPC lines without a `jsonrpc` field. The log has Codex's output and the requests that were sent to it
 * (an answer has only their id), but not our answers, whose ids could be confused with Codex's. An item that was open when its turn was
 * interrupted never ends here: settling the execution ends it.
 */
export function createCodexAppServerDecoder(options: DecoderOptions): AgentDecoder {
  const state = options.snapshot === undefined ? undefined : readDecoderSnapshot<State>(options.snapshot, kind);
  const items = new CodexItems(state?.items);
  const sent = new SentRequests(state?.sent);
  const questions = new CodexQuestions(state?.questions, options.directory);
  const retries = new StandingNotice("agent-retry", state?.retries);
  let sessionId = state?.sessionId ?? null;
  let total = state?.total ?? null;
  let turn = state?.turn ?? null;
  let spent = state?.spent ?? null;
  let model = state?.model ?? null;
  /** What the account has used of its plan. */
  let limits = state?.limits ?? null;

  function read(value: JsonObject, context: LineContext): boolean {
    const method = stringField(value, "method");
    const params = objectField(value, "params");
    if (method === undefined) return readAnswer(value, context);
    if (sentMethods.test(method)) sent.add(value, method);
    else if (Object.hasOwn(value, "id")) readRequest(method, value, params, context);
    else readNotification(method, params, context);
    return true;
  }

  function readAnswer(value: JsonObject, context: LineContext): boolean {
    const error = objectField(value, "error");
    const method = sent.take(value);
    if (error === undefined) {
      if (!Object.hasOwn(value, "result")) return false;
      const thread = method === "thread/list" ? undefined : objectField(objectField(value, "result"), "thread");
      if (thread !== undefined) showSession(thread, stringField(objectField(value, "result"), "model"), context);
      return true;
    }
    const text = toErrorMessage(stringField(error, "message"), { code: "request-refused", agent: "Codex" });
    if (method !== undefined && dispensable.has(method)) return true;
    const isLost = method === "thread/resume" || method === "thread/fork";
    context.emit({ type: "end", status: "failed", reason: text, ...(isLost ? { code: "session-not-found" } : {}), at: context.at });
    return true;
  }

  function showSession(thread: JsonObject, named: string | undefined, { at, emit }: LineContext): void {
    const id = stringField(thread, "id");
    const name = named ?? stringField(thread, "model");
    if (name !== undefined) model = name.slice(0, maxIdLength);
    if (id === undefined || id === sessionId || !isSessionId(id)) return;
    sessionId = id;
    emit({ type: "session", sessionId: id, ...(name === undefined ? {} : { model: name }), at });
  }

  function readRequest(method: string, value: JsonObject, params: JsonObject | undefined, context: LineContext): void {
    const requestId = toRequestId(value);
    if (params !== undefined && requestId !== undefined) questions.read({ requestId, method, params }, items, context);
  }

  function readNotification(method: string, params: JsonObject | undefined, context: LineContext): void {
    const itemId = stringField(params, "itemId");
    const delta = stringField(params, "delta");
    if (isOfSubagent(params) && !/^item\/(?:started|completed)$|outputDelta$/.test(method)) return;
    // it works again: later retries are new ones
    if (method.startsWith("item/")) retries.close(context);
    switch (method) {
      case "skein/answered":
        if (params !== undefined) questions.readAnswer(params, items, context);
        return;
      case "thread/started": {
        const thread = objectField(params, "thread");
        if (thread !== undefined) showSession(thread, undefined, context);
        return;
      }
      case "turn/started": {
        const id = stringField(objectField(params, "turn"), "id");
        if (id !== undefined && id.length <= maxIdLength) turn = { id, before: total, usage: null };
        return;
      }
      case "item/started":
      case "item/completed": {
        const raw = objectField(params, "item");
        const id = stringField(raw, "id");
        if (raw === undefined || id === undefined) return;
        const item = toCodexItem(raw);
        if (isOfSubagent(params) && item.type !== "tool") return;
        if (method === "item/started") items.start(id, item, context);
        else items.complete(id, item, context);
        return;
      }
      case "item/agentMessage/delta":
        if (itemId !== undefined && delta !== undefined) items.addText(itemId, "text", delta, context);
        return;
      case "item/reasoning/summaryPartAdded":
        if (itemId !== undefined) items.addParagraph(itemId, context);
        return;
      case "item/reasoning/summaryTextDelta":
      case "item/reasoning/textDelta":
        if (itemId !== undefined && delta !== undefined) items.addText(itemId, "thinking", delta, context);
        return;
      case "item/commandExecution/outputDelta":
        if (itemId !== undefined && delta !== undefined) items.addProgress(itemId, delta, context);
        return;
      case "turn/plan/updated":
        items.showPlan(arrayField(params, "plan") ?? [], context);
        return;
      case "thread/tokenUsage/updated":
        countTokens(params, context);
        return;
      case "account/rateLimits/updated":
        limits = objectField(params, "rateLimits") ?? limits;
        return;
      case "warning":
      case "configWarning": {
        const text = stringField(params, "message", "summary");
        if (text === undefined || isRoutineWarning(text)) return;
        context.emit({ type: "notice", messageId: context.ids.next(), text, code: "codex-warning", at: context.at });
        return;
      }
      case "error": {
        const text = toErrorMessage(stringField(objectField(params, "error"), "message"), { code: "agent-error", agent: "Codex" });
        if (booleanField(params, "willRetry") === true) {
          retries.show(() => text, context);
          return;
        }
        // The end of the turn repeats it; Skein's explanation there must not hide Codex's own message.
        if (typeof text !== "string" || explainCodexFailure(text) === undefined) return;
        context.emit({ type: "notice", messageId: context.ids.next(), text, code: "agent-error", at: context.at });
        return;
      }
      case "turn/completed":
        endTurn(objectField(params, "turn"), context);
    }
  }

  /** Its tools are shown; its texts are addressed to the agent that called it. */
  function isOfSubagent(params: JsonObject | undefined): boolean {
    const threadId = stringField(params, "threadId") ?? stringField(objectField(params, "thread"), "id");
    return sessionId !== null && threadId !== undefined && threadId !== sessionId;
  }

  /** After a resume, the first count is that of the previous turn: the starting point of this one. */
  function countTokens(params: JsonObject | undefined, { at, emit }: LineContext): void {
    const tokens = objectField(params, "tokenUsage");
    total = toCodexUsage(objectField(tokens, "total"));
    if (turn === null || stringField(params, "turnId") !== turn.id) return;
    turn.before ??= subtractUsage(total, toCodexUsage(objectField(tokens, "last")));
    turn.usage = subtractUsage(total, turn.before);
    const last = toCodexUsage(objectField(tokens, "last"));
    const request = model === null ? {} : { request: { model: `openai/${model}`, usage: last } };
    emit({ type: "usage", usage: addUsage(spent ?? {}, turn.usage), ...request, at });
  }

  function endTurn(ended: JsonObject | undefined, { at, emit }: LineContext): void {
    // carrying out a plan is a second turn of the same execution
    if (turn?.usage != null) spent = addUsage(spent ?? {}, turn.usage);
    const usage = spent ?? undefined;
    const common = { type: "end", ...(usage === undefined ? {} : { usage }), at } as const;
    turn = null;
    switch (stringField(ended, "status")) {
      case "completed":
        emit({ ...common, status: "success" });
        return;
      case "interrupted":
        emit({ ...common, status: "cancelled" });
        return;
      default: {
        const said = stringField(objectField(ended, "error"), "message");
        const limit = toCodexLimit(objectField(ended, "error"), limits);
        if (limit !== undefined) emit({ type: "limit", limit, at });
        emit({ ...common, status: "failed", reason: toErrorMessage(said, { code: "agent-gave-no-reason", agent: "Codex" }) });
      }
    }
  }

  const save = () =>
    ({
      ...kind,
      items: items.save(),
      sent: sent.save(),
      questions: questions.save(),
      sessionId,
      total,
      turn: turn && { ...turn },
      spent: spent && { ...spent },
      retries: retries.save(),
      model,
      limits,
    }) as unknown as JsonValue;
  return createJsonLineDecoder(options, { read, save });
}

/** Repeated at every start: Codex uses its own sandbox, and the repository's settings are off, as requested. */
function isRoutineWarning(text: string): boolean {
  return /bubblewrap on PATH|^Project-local config|project-local config keys|under-development features/i.test(text);
}
