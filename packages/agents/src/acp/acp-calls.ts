import { createHash } from "node:crypto";
import type { JsonValue, MessageText, PermissionGrant } from "@skein/contracts";
import { arrayField, asObject, keepEnd, keepNewest, stringField, toWritableJson } from "@skein/engine";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { RecentSet } from "../lines/recent-set.ts";
import { type AcpCall, createAcpCall, measureCall, mergeUpdate, stripCall, takeProgress, toCallInput, toCallName } from "./acp-call.ts";
import { toToolText } from "./acp-content.ts";
import type { AcpLevels } from "./acp-levels.ts";
import { toAcpResult } from "./acp-result.ts";
import { withAskedChanges } from "./asked-changes.ts";

const maxOpen = 32;
const maxEnded = 256;
const maxProgressLength = 64 * 1024;
const maxKeptLength = 256 * 1024;

export interface AcpCallsState {
  open: AcpCall[];
  ended: string[];
  wasCancelled?: boolean;
}

/** The tool calls of one prompt by id: an update may arrive without its call, and a call may never end. */
export class AcpCalls {
  readonly #levels: AcpLevels;
  readonly #open: Map<string, AcpCall>;
  readonly #ended: RecentSet;
  #wasCancelled: boolean;

  constructor(levels: AcpLevels, state?: AcpCallsState) {
    this.#levels = levels;
    this.#open = new Map(state?.open.map((call) => [call.toolUseId, { ...call }]));
    this.#ended = new RecentSet(maxEnded, state?.ended);
    this.#wasCancelled = state?.wasCancelled ?? false;
  }

  /** The agent is being stopped: from now on, reports about open calls are interruptions. */
  cancel(): void {
    this.#wasCancelled = true;
  }

  /** A new prompt. */
  begin(): void {
    this.#wasCancelled = false;
  }

  /** A `tool_call` or a `tool_call_update`. */
  update(update: JsonObject, context: LineContext): void {
    const id = stringField(update, "toolCallId");
    if (id === undefined) return;
    const toolUseId = context.toolUseId(id);
    if (this.#ended.has(toolUseId)) return;
    const call = this.#merge(toolUseId, update, asObject(update.rawInput), context);
    const progress = takeProgress(call, update);
    if (progress !== "") {
      context.emit({ type: "tool-progress", toolUseId, text: keepEnd(progress, maxProgressLength), at: context.at });
    }
    const status = stringField(update, "status");
    if (status === "completed" || status === "failed") this.#end(call, update, status === "failed", context);
  }

  /** A permission request names its call; some agents mention the call there for the first time. */
  ask(toolCall: JsonObject, request: { requestId: string; reason?: MessageText; grant?: PermissionGrant }, context: LineContext): void {
    const id = stringField(toolCall, "toolCallId");
    if (id === undefined) return;
    const toolUseId = context.toolUseId(id);
    const known = this.#open.get(toolUseId);
    const rawInput = asObject(toolCall.rawInput);
    // A request may contain less than the tool's input, so it does not replace it.
    const call = this.#merge(toolUseId, toolCall, known?.hasOwnInput === true ? undefined : rawInput, context);
    const asked = toCallInput(call, rawInput);
    // A call without its own input is described by its content, for example a plan.
    const blocks = arrayField(toolCall, "content") ?? [];
    const content = call.hasOwnInput ? "" : toToolText(blocks);
    const changes = withAskedChanges(asked, call, blocks);
    const input = toWritableJson(content === "" ? changes : { ...asObject(changes), content });
    context.emit({ type: "approval-request", toolUseId, toolName: toCallName(call), input, ...request, at: context.at });
  }

  save(): AcpCallsState {
    const open = [...this.#open.values()].map((call) => ({ ...call }));
    return { open, ended: this.#ended.list(), wasCancelled: this.#wasCancelled };
  }

  #merge(toolUseId: string, update: JsonObject, rawInput: JsonObject | undefined, context: LineContext): AcpCall {
    const known = this.#open.get(toolUseId);
    const call = known ?? this.#create(toolUseId, update, context);
    mergeUpdate(call, update);
    const isOwn = rawInput !== undefined && Object.keys(rawInput).length > 0;
    if (isOwn || !call.hasOwnInput) this.#show(call, toWritableJson(toCallInput(call, rawInput)), known === undefined, context);
    call.hasOwnInput ||= isOwn;
    this.#open.set(toolUseId, call);
    this.#forget();
    return call;
  }

  #create(toolUseId: string, update: JsonObject, context: LineContext): AcpCall {
    const parent = this.#levels.findParent(update, context);
    const call = createAcpCall(toolUseId, this.#levels.blocksOf(parent).addUse(context.ids));
    return parent === undefined ? call : { ...call, parent };
  }

  /** The snapshot is written with every commit: the oldest open calls are dropped first, their texts before them. */
  #forget(): void {
    keepNewest(this.#open, maxOpen);
    let length = 0;
    for (const call of [...this.#open.values()].reverse()) {
      length += measureCall(call);
      if (length > maxKeptLength) stripCall(call);
    }
  }

  #show(call: AcpCall, input: JsonValue, isNew: boolean, { at, emit }: LineContext): void {
    const toolName = toCallName(call);
    const shownInput = createHash("sha256").update(toolName).update(JSON.stringify(input)).digest("base64url");
    // Reported again after its message has ended, the call would appear twice.
    if (shownInput === call.shownInput || (!isNew && !this.#levels.blocksOf(call.parent).isOpen(call))) return;
    call.shownInput = shownInput;
    const { toolUseId, messageId, index, parent } = call;
    emit({
      type: "tool-use",
      toolUseId,
      toolName,
      input,
      messageId,
      index,
      ...(parent === undefined ? {} : { parentToolUseId: parent }),
      at,
    });
  }

  #end(call: AcpCall, update: JsonObject, hasFailed: boolean, context: LineContext): void {
    const { ids, at, emit } = context;
    this.#open.delete(call.toolUseId);
    this.#ended.add(call.toolUseId);
    this.#levels.blocksOf(call.parent).addResult();
    this.#levels.end(call.toolUseId, context);
    const { toolUseId } = call;
    const result = toAcpResult(call, update, { hasFailed, wasCancelled: this.#wasCancelled });
    emit({ type: "tool-result", resultId: ids.next(), toolUseId, toolName: toCallName(call), ...result, at });
  }
}
