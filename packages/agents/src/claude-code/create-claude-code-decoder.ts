import { isSessionId, type JsonValue, type MessageText } from "@skein/contracts";
import { type AgentDecoder, asObject, objectField, RecentMap, stringField, addUsage as sumUsage } from "@skein/engine";
import { readDecoderSnapshot } from "../lines/decoder-snapshot.ts";
import { createJsonLineDecoder, type DecoderOptions, type JsonLineReader, type LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { RecentSet } from "../lines/recent-set.ts";
import { AssistantMessages } from "./assistant-messages.ts";
import { type ClaudeCodeState, snapshotKind } from "./decoder-state.ts";
import { findCommandDanger, findHookWarning, toClaudeCodeGrant } from "./permission-grants.ts";
import { toPlanLimit } from "./plan-limit.ts";
import { ProposedPlans } from "./proposed-plans.ts";
import { toAsked } from "./questions.ts";
import { addUsage, isFailedTaskNotice, toEnd } from "./result-line.ts";
import {
  type LineNotice,
  quietSubtypes,
  quietTypes,
  toCommandOutput,
  toCompactionNotice,
  toHookNotice,
  toInformation,
  toRetryNotice,
  toTaskNotice,
} from "./system-lines.ts";
import { listToolResults, readToolResults } from "./tool-results.ts";

const agent = "Claude Code";
const maxRequests = 32;
const maxRemembered = 64;
const maxKindLength = 60;

/** Reads parsed lines of Claude Code. */
export interface ClaudeCodeReader extends JsonLineReader {
  /** The model is answering again: the notice about retries is complete. */
  endRetries(): void;
}

/**
 * Reads `claude --output-format stream-json --verbose`, versions 1.0 to 2.1, with or without partial messages.
 *
 * A prompt that leaves a subagent in the background has more than one result: each becomes an `end` with the usage so far, and the last
 * one is the execution's end.
 */
export function createClaudeCodeReader({ executionId, directory, snapshot }: DecoderOptions): ClaudeCodeReader {
  const saved = snapshot === undefined ? undefined : readDecoderSnapshot<ClaudeCodeState>(snapshot, snapshotKind);
  const requests = new RecentMap<string, string>(maxRequests, saved?.requests);
  const plans = new ProposedPlans(saved?.plans);
  const backgroundTasks = new RecentSet(maxRemembered, saved?.backgroundTasks);
  const unknownKinds = new RecentSet(maxRemembered, saved?.unknownKinds);
  const messages = new AssistantMessages(executionId, saved?.levels ?? [], {
    onUnknown: reportUnknown,
    onRequest({ usage: used, model }, { at, emit }) {
      spent = sumUsage(spent, used);
      const request = model === undefined ? {} : { request: { model, usage: used } };
      emit({ type: "usage", usage: sumUsage(usage, spent), ...request, at });
    },
  });
  let session = saved?.session ?? null;
  let retryNotice = saved?.retryNotice ?? null;
  let hasSpoken = saved?.hasSpoken ?? false;
  let hasReported = saved?.hasTold ?? false;
  let usage = saved?.usage ?? {};
  let spent = saved?.spent ?? {};
  let isLimited = saved?.isLimited ?? false;

  function report({ text, code }: LineNotice, { ids, at, emit }: LineContext): void {
    hasReported = true;
    emit({ type: "notice", messageId: ids.next(), text, code, at });
  }

  /** Once per kind: a newer version may send thousands of them. */
  function reportOnce(kind: string, notice: LineNotice, context: LineContext): void {
    if (unknownKinds.has(kind)) return;
    unknownKinds.add(kind);
    report(notice, context);
  }

  function reportUnknown(kind: string, context: LineContext): void {
    const name = kind.slice(0, maxKindLength);
    reportOnce(name, { text: { code: "unknown-output", agent, kind: name }, code: "unknown-output" }, context);
  }

  function reportUnanswered(subtype: string, context: LineContext): void {
    const name = subtype.slice(0, maxKindLength);
    reportOnce(`control_request/${name}`, { text: { code: "unknown-request", agent, kind: name }, code: "unanswered-request" }, context);
  }

  function readSystem(line: JsonObject, context: LineContext): boolean {
    const subtype = stringField(line, "subtype") ?? "";
    switch (subtype) {
      case "init":
        return readInit(line, context);
      case "api_retry":
        retryNotice ??= { messageId: context.ids.next(), at: context.at };
        context.emit({ type: "notice", ...toRetryNotice(line), ...retryNotice });
        return true;
      case "compact_boundary":
        report(toCompactionNotice(line), context);
        return true;
      case "informational":
        report(toInformation(line), context);
        return true;
      case "hook_response": {
        const notice = toHookNotice(line);
        if (notice !== undefined) report(notice, context);
        return true;
      }
      case "task_started": {
        const task = stringField(line, "task_id");
        if (task !== undefined && line.is_backgrounded === true) backgroundTasks.add(task);
        return true;
      }
      case "task_notification":
        // A foreground task has its own card, which shows its end.
        if (backgroundTasks.delete(stringField(line, "task_id") ?? "")) report(toTaskNotice(line), context);
        return true;
      default:
        if (!quietSubtypes.has(subtype)) reportUnknown(`system/${subtype}`, context);
        return true;
    }
  }

  /** Repeated for every turn. */
  function readInit(line: JsonObject, { at, emit }: LineContext): boolean {
    const sessionId = stringField(line, "session_id");
    if (sessionId === undefined || !isSessionId(sessionId)) return false;
    const model = stringField(line, "model");
    if (session !== null && session.sessionId === sessionId && session.model === model) return true;
    session = { sessionId, ...(model === undefined ? {} : { model }) };
    emit({ type: "session", ...session, at });
    return true;
  }

  function readUser(line: JsonObject, context: LineContext): boolean {
    const message = asObject(line.message);
    if (message === undefined) return false;
    const blocks = listToolResults(message);
    const results = readToolResults(line, blocks, context, { wasAsked: (toolUseId) => requests.get(toolUseId) !== undefined });
    for (const result of results) {
      context.emit(result);
      if (result.toolUseId === undefined) continue;
      requests.delete(result.toolUseId);
      messages.forget(result.toolUseId);
    }
    const printed = line.isReplay === true ? toCommandOutput(message.content) : undefined;
    if (printed !== undefined) report(printed, context);
    return true;
  }

  function readResult(line: JsonObject, context: LineContext): boolean {
    if (isFailedTaskNotice(line)) {
      report({ text: { code: "background-command-ended" }, code: "background-task" }, context);
      return true;
    }
    messages.endTop(context);
    const result = stringField(line, "result") ?? "";
    usage = addUsage(usage, line);
    spent = {};
    const end = toEnd(line, { usage, at: context.at });
    if (end.status === "success" && !hasSpoken) {
      // Some commands are answered only in the result.
      if (result !== "") report({ text: result, code: "command-output" }, context);
      else if (!hasReported) report({ text: { code: "empty-answer", agent }, code: "empty-answer" }, context);
    }
    hasSpoken = false;
    hasReported = false;
    context.emit(end);
    return true;
  }

  function readControlRequest(line: JsonObject, context: LineContext): boolean {
    const request = objectField(line, "request");
    const requestId = stringField(line, "request_id");
    if (request === undefined || requestId === undefined) return false;
    const subtype = stringField(request, "subtype") ?? "";
    if (subtype !== "can_use_tool") {
      reportUnanswered(subtype, context);
      return true;
    }
    // 1.0 does not identify the tool use
    const toolUseId = stringField(request, "tool_use_id") ?? requestId;
    requests.set(toolUseId, requestId);
    const reason = findCommandDanger(request) ?? findHookWarning(request, directory) ?? stringField(request, "decision_reason");
    const grant = toClaudeCodeGrant(request, directory);
    context.emit({
      type: "approval-request",
      toolUseId,
      ...plans.complete(toAsked(request), toolUseId),
      ...(reason === undefined ? {} : { reason }),
      ...(grant === undefined ? {} : { grant }),
      requestId,
      at: context.at,
    });
    return true;
  }

  /** The request was withdrawn: answers to it are ignored. */
  function readCancelRequest(line: JsonObject, { at, emit }: LineContext): boolean {
    const requestId = stringField(line, "request_id");
    if (requestId === undefined) return false;
    for (const toolUseId of forgetQuestion(requestId)) emit({ type: "approval-withdrawn", toolUseId, at });
    return true;
  }

  /** Returns the tool uses that it was about. */
  function forgetQuestion(requestId: string | undefined): string[] {
    const asked = requests.entries().flatMap(([toolUseId, id]) => (id === requestId ? [toolUseId] : []));
    for (const toolUseId of asked) requests.delete(toolUseId);
    return asked;
  }

  function readControlResponse(line: JsonObject, context: LineContext): boolean {
    const response = objectField(line, "response");
    if (response === undefined) return false;
    // An allowed tool whose result looks like a denial was stopped while it ran.
    if (stringField(objectField(response, "response"), "behavior") === "allow") forgetQuestion(stringField(response, "request_id"));
    if (stringField(response, "subtype") === "error") {
      const said = stringField(response, "error");
      const text: MessageText = { code: "request-refused", agent, ...(said === undefined ? {} : { said }) };
      report({ text, code: "request-refused" }, context);
    }
    return true;
  }

  /** Sent with every response of a plan. */
  function readLimit(line: JsonObject, { at, emit }: LineContext): void {
    const limit = toPlanLimit(objectField(line, "rate_limit_info"));
    if (limit === null && !isLimited) return;
    isLimited = limit !== null;
    emit({ type: "limit", limit, at });
  }

  function read(line: JsonObject, context: LineContext): boolean {
    switch (line.type) {
      case "assistant":
        retryNotice = null;
        hasSpoken = true;
        plans.see(line);
        return messages.addLine(line, context);
      case "stream_event":
        retryNotice = null;
        return messages.addStreamEvent(line, context);
      case "user":
        return readUser(line, context);
      case "system":
        return readSystem(line, context);
      case "result":
        return readResult(line, context);
      case "control_request":
        return readControlRequest(line, context);
      case "control_cancel_request":
        return readCancelRequest(line, context);
      case "control_response":
        return readControlResponse(line, context);
      case "rate_limit_event":
        readLimit(line, context);
        return true;
      case "conversation_reset":
        report({ text: { code: "conversation-reset", agent }, code: "conversation-reset" }, context);
        return true;
      default:
        if (typeof line.type !== "string") return false;
        if (!quietTypes.has(line.type)) reportUnknown(line.type, context);
        return true;
    }
  }

  function save(): JsonValue {
    const state: ClaudeCodeState = {
      ...snapshotKind,
      session,
      levels: messages.save(),
      requests: requests.entries(),
      plans: plans.save(),
      backgroundTasks: backgroundTasks.list(),
      unknownKinds: unknownKinds.list(),
      retryNotice,
      hasSpoken,
      hasTold: hasReported,
      usage,
      spent,
      isLimited,
    };
    return state as unknown as JsonValue;
  }

  const endRetries = () => {
    retryNotice = null;
  };
  return { read, save, endRetries };
}

/** Decodes the lines of an execution log: see `createClaudeCodeReader`. */
export function createClaudeCodeDecoder(options: DecoderOptions): AgentDecoder {
  const reader = createClaudeCodeReader(options);
  const decoder = createJsonLineDecoder(options, reader);
  return {
    decode(line) {
      if (!isInputFragment(line.text)) return decoder.decode(line);
      reader.endRetries();
      return [];
    },
    snapshot: decoder.snapshot,
  };
}

const streamEvent = '{"type":"stream_event"';
const inputFragment = /^\{"type":"stream_event","event":\{"type":"content_block_delta","index":\d+,"delta":\{"type":"input_json_delta",/;

/** A delta of a tool's input, which follows as a whole: the most frequent line need not be parsed. */
function isInputFragment(text: string): boolean {
  return text.startsWith(streamEvent) && inputFragment.test(text) && text.endsWith("}");
}
