import { randomUUID } from "node:crypto";
import { formatText } from "@skein/engine/format-text";
import { objectField, stringField, stringsField } from "@skein/engine/json-fields";
import { startAgentProcess } from "../driver/agent-process.ts";
import type { DriverContext } from "../driver/driver.ts";
import type { DriverControl } from "../driver/driver-control.ts";
import { toStartFailure } from "../driver/start-failure.ts";
import { grantsIn, isAllowed } from "../grants/grants.ts";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";
import { toClaudeCodeArguments, toClaudeCodeMode } from "./claude-code-arguments.ts";
import {
  askAboutEdits,
  encodeRefusal,
  encodeRequest,
  encodeResponse,
  encodeUserMessage,
  toHookQuestion,
  toPermission,
} from "./claude-code-requests.ts";
import { type OpenQuestion, OpenQuestions, readQuestion } from "./open-questions.ts";
import { findProtectedEdit, toClaudeCodeCall } from "./permission-grants.ts";
import { isUnknownPoint, isUnknownSession } from "./result-line.ts";
import { SteeredMessages } from "./steered-messages.ts";
import { TurnWatch } from "./turn-watch.ts";

/** After this time a program that is still running gets a signal; the runner kills it soon after. */
const interruptPatienceMs = 1500;
/** Without output for this long after its last result, it hangs. */
const exitPatienceMs = 60_000;
/** It waits forever for a background command that does not end. */
const abandonPatienceMs = 3000;
const killPatienceMs = 5000;

export interface ClaudeCodeRunEnd {
  exitCode: number;
  /** False: it no longer has the session, and has done nothing. */
  knewSession: boolean;
  /** False: it cannot resume the session at `resumeAt`, and has done nothing. */
  knewPoint: boolean;
}

/** One Claude Code process from start to end, with all messages in both directions. */
export async function runClaudeCode(
  context: DriverContext,
  input: { sessionId: string | null; isFork?: boolean; resumeAt?: string | undefined; message: string; instructions: string | undefined },
): Promise<ClaudeCodeRunEnd> {
  const { order, log, record, stop } = context;
  const agent = startAgentProcess(context, {
    command: order.command,
    args: toClaudeCodeArguments(order, input),
    directory: order.directory,
  });
  const questions = new OpenQuestions();
  const grants = [...order.grants];
  const steered = new SteeredMessages((uuid, { text, images }) => agent.write(encodeUserMessage({ uuid, text, images })));
  let settings = { model: order.model, permissionMode: order.permissionMode };
  let hasSession = false;
  let hasResult = false;
  let lostSession = false;
  let lostPoint = false;
  let requests = 0;
  let ending: NodeJS.Timeout | undefined;

  const watch = new TurnWatch({
    hasUnread: () => steered.areUnread,
    onOver({ isWorking }) {
      agent.closeStdin();
      endWithin(isWorking ? abandonPatienceMs : exitPatienceMs);
    },
    onWaiting: (commands) =>
      record({
        type: "notice",
        code: "waiting-for-background",
        text: { code: "waiting-for-background", agent: order.name, commands: [...commands] },
      }),
  });

  const request = (body: Parameters<typeof encodeRequest>[1]): void => agent.write(encodeRequest(`skein-${++requests}`, body));

  request({
    subtype: "initialize",
    hooks: askAboutEdits,
    // otherwise a session keeps the system prompt of its first message
    systemPromptSnapshot: false,
    ...(input.instructions === undefined ? {} : { appendSystemPrompt: input.instructions }),
  });
  agent.write(encodeUserMessage({ uuid: randomUUID(), text: input.message, images: order.images }));

  const interrupt = (): void => {
    watch.stop();
    request({ subtype: "interrupt" });
    setTimeout(() => agent.signal("SIGTERM"), interruptPatienceMs).unref();
  };
  if (stop.aborted) interrupt();
  else stop.addEventListener("abort", interrupt, { once: true });
  context.onControl(applyControl);

  for await (const line of agent.lines) {
    ending?.refresh();
    const value = readLine(line);
    if (value !== undefined && answersItself(value)) continue;
    log(line);
    if (value !== undefined) see(value);
  }
  const { exitCode, startError } = await agent.ended;
  watch.end();
  clearTimeout(ending);
  stop.removeEventListener("abort", interrupt);
  if (startError !== undefined) record(toStartFailure(order, startError));
  else if (!hasSession && input.sessionId !== null && exitCode !== 0) seeRefusal(await agent.readErrors());
  else if (!hasResult && exitCode === 0 && !stop.aborted) {
    record({ type: "end", status: "failed", reason: { code: "ended-without-result", agent: order.name } });
  }
  return { exitCode, knewSession: !lostSession, knewPoint: !lostPoint };

  /** Why it did not start. */
  function seeRefusal(text: string): void {
    lostSession ||= isUnknownSession(text);
    lostPoint ||= isUnknownPoint(text);
  }

  /** When interrupted it exits with 0, as after success. */
  function endWithin(patienceMs: number): void {
    ending = setTimeout(() => {
      agent.signal("SIGINT");
      setTimeout(() => agent.signal("SIGKILL"), killPatienceMs).unref();
    }, patienceMs);
  }

  function applyControl(control: DriverControl): void {
    if (watch.isOver || stop.aborted) return;
    if (control.type === "approval") answer(control);
    else if (control.type === "settings") change(control);
    else steered.add(control);
  }

  function answer(control: Extract<DriverControl, { type: "approval" }>): void {
    const question = questions.take(control);
    if (question === undefined) return;
    // a plan is carried out in the mode that its approval names
    if (control.plan !== undefined) settings = { ...settings, permissionMode: control.plan.mode };
    if (control.decision === "allow-always" && control.grant !== undefined) grants.push(control.grant);
    agent.write(encodeResponse(question.requestId, toPermission(control, question.input)));
    // the decoder needs the answer, which older versions do not repeat
    if (control.decision !== "deny") log(encodeResponse(question.requestId, { behavior: "allow" }));
  }

  function change({ model, permissionMode }: typeof settings): void {
    const before = settings;
    settings = { model, permissionMode };
    const mode = toClaudeCodeMode(permissionMode);
    if (mode !== toClaudeCodeMode(before.permissionMode)) request({ subtype: "set_permission_mode", mode });
    if (model !== before.model) request({ subtype: "set_model", model: model ?? "default" });
  }

  function reportRead(uuid: string | undefined): void {
    const message = steered.take(uuid ?? "");
    if (message === undefined) return;
    const { id: messageId, text, images } = message;
    record({ type: "user-message", messageId, text, ...(images.length === 0 ? {} : { images: [...images] }) });
  }

  /** Parses only lines that need handling: most are text deltas. */
  function readLine(line: Buffer): JsonObject | undefined {
    if (isShownOnly(line, steered.areUnread)) return undefined;
    const parsed = parseLine(line.toString("utf8"));
    return parsed.type === "object" ? parsed.value : undefined;
  }

  /** Requests that a grant covers are allowed without asking, and not logged. */
  function answersItself(line: JsonObject): boolean {
    if (line.type !== "control_request") return false;
    if (answersHook(line)) return true;
    const question = readQuestion(line);
    if (question === undefined || question.needsUser || findProtectedEdit(question.toolName, question.input, order) !== null) return false;
    if (settings.permissionMode !== "full" && !isGranted(question)) return false;
    agent.write(encodeResponse(question.requestId, { behavior: "allow", updatedInput: question.input }));
    return true;
  }

  /** Before each edit: in accept-edits it would not ask about files that Skein protects, nor about files that its trusted hooks run. */
  function answersHook(line: JsonObject): boolean {
    const request = objectField(line, "request");
    const requestId = stringField(line, "request_id");
    if (request?.subtype !== "hook_callback" || requestId === undefined) return false;
    const asked = objectField(request, "input");
    const reason = findProtectedEdit(stringField(asked, "tool_name") ?? "", asked?.tool_input ?? {}, order);
    agent.write(encodeResponse(requestId, reason === null ? {} : toHookQuestion(formatText(reason))));
    return true;
  }

  function isGranted({ toolName, input: asked }: OpenQuestion): boolean {
    const call = toClaudeCodeCall(toolName, asked);
    return call !== undefined && isAllowed(grantsIn(settings.permissionMode, grants), call, order);
  }

  function see(line: JsonObject): void {
    switch (line.type) {
      case "system":
        if (line.subtype !== "init") break;
        hasSession = true;
        steered.begin(stringField(line, "claude_code_version"));
        break;
      case "result":
        hasResult = true;
        if (!hasSession) seeRefusal((stringsField(line, "errors") ?? []).join("\n"));
        break;
      case "user":
        reportRead(stringField(line, "uuid"));
        break;
      case "command_lifecycle":
        if (line.state === "started") reportRead(stringField(line, "command_uuid"));
        break;
      case "control_request":
        seeRequest(line);
        break;
      case "control_cancel_request":
        questions.withdraw(line.request_id);
        break;
    }
    watch.see(line);
  }

  function seeRequest(line: JsonObject): void {
    const question = readQuestion(line);
    if (question !== undefined) {
      questions.add(question);
      return;
    }
    const subtype = stringField(objectField(line, "request"), "subtype") ?? "";
    const requestId = stringField(line, "request_id");
    if (requestId !== undefined) agent.write(encodeRefusal(requestId, `Skein does not know the request ${subtype}`));
  }
}

const shownOnly = ['{"type":"stream_event"', '{"type":"assistant"'].map((text) => Buffer.from(text));
const userLine = Buffer.from('{"type":"user"');

function isShownOnly(line: Buffer, awaitsUserLine: boolean): boolean {
  const startsWith = (start: Buffer): boolean => line.subarray(0, start.length).equals(start);
  return shownOnly.some(startsWith) || (!awaitsUserLine && startsWith(userLine));
}
