import { createHash } from "node:crypto";
import type { JsonValue } from "@skein/contracts";
import { arrayField, keepEnd, keepNewest, objectField, stringField, toWritableJson } from "@skein/engine";
import type { BlockAddress } from "../lines/assistant-blocks.ts";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { RecentSet } from "../lines/recent-set.ts";
import { type OpencodeTool, parseOpencodeTool, toOpencodeResult } from "./opencode-tool.ts";

const maxOpen = 64;
const maxEnded = 128;
const maxProgressLength = 64 * 1024;
const maxRequestIdLength = 200;

interface OpenCall extends BlockAddress {
  toolUseId: string;
  toolName: string;
  /** Hash of the name and input that were shown last: a running call is announced again and again. */
  shown: string;
  /** How much of its output was shown while the tool runs. */
  shownLength: number;
}

export interface ServeCallsState {
  open: [string, OpenCall][];
  ended: string[];
}

/** The tool calls of a session, by the ids of their parts: some models use one call id for several calls. */
export class ServeCalls {
  readonly #open: Map<string, OpenCall>;
  readonly #ended: RecentSet;

  constructor(state?: ServeCallsState) {
    this.#open = new Map(state?.open.map(([key, call]) => [key, { ...call }]));
    this.#ended = new RecentSet(maxEnded, state?.ended);
  }

  /** False for a part that is no call. `nextBlock` gives a new call its place; undefined where it has none. */
  update(part: JsonObject, nextBlock: () => BlockAddress | undefined, context: LineContext): boolean {
    const tool = parseOpencodeTool(part);
    const partId = stringField(part, "id") ?? tool?.callId;
    if (tool === undefined || partId === undefined) return false;
    const key = context.toolUseId(partId);
    // The outputs of old calls are cleared to make room, and each is announced once more.
    if (this.#ended.has(key)) return true;
    const call = this.#open.get(key) ?? this.#begin(key, context.toolUseId(tool.callId ?? partId), nextBlock());
    if (call === undefined) return true;
    this.#show(call, tool, context);
    if (tool.status === "completed" || tool.status === "error") this.#end(key, call, tool, context);
    else this.#showProgress(call, tool, context);
    return true;
  }

  /** Something that waits for the person's answer. The call itself has been shown: the input is what the question adds. */
  ask(request: JsonObject, { at, toolUseId, emit }: LineContext): boolean {
    const requestId = stringField(request, "id");
    if (requestId === undefined || requestId.length > maxRequestIdLength) return false;
    const callId = stringField(objectField(request, "tool"), "callID") ?? stringField(request, "callID");
    const id = toolUseId(callId ?? requestId);
    const permission = stringField(request, "permission", "type");
    const call = [...this.#open.values()].findLast((other) => other.toolUseId === id);
    const toolName = call?.toolName ?? permission ?? "question";
    const title = stringField(request, "title");
    const reason = title ?? (permission === undefined || permission === toolName ? undefined : `opencode asks for “${permission}”.`);
    emit({
      type: "approval-request",
      toolUseId: id,
      toolName,
      input: toWritableJson(toAskedInput(request)),
      ...(reason === undefined ? {} : { reason }),
      requestId,
      at,
    });
    return true;
  }

  save(): ServeCallsState {
    return { open: [...this.#open].map(([key, call]) => [key, { ...call }]), ended: this.#ended.list() };
  }

  #begin(key: string, toolUseId: string, address: BlockAddress | undefined): OpenCall | undefined {
    if (address === undefined) return undefined;
    const call = { ...address, toolUseId, toolName: "", shown: "", shownLength: 0 };
    this.#open.set(key, call);
    keepNewest(this.#open, maxOpen);
    return call;
  }

  /** A call is pending before its input is known, and then named by what the model wrote. */
  #show(call: OpenCall, tool: OpencodeTool, { at, emit }: LineContext): void {
    const input = toWritableJson(tool.input);
    const shown = createHash("sha256").update(tool.toolName).update(JSON.stringify(input)).digest("base64url");
    if (shown === call.shown) return;
    call.shown = shown;
    call.toolName = tool.toolName;
    const { toolUseId, toolName, messageId, index } = call;
    emit({ type: "tool-use", toolUseId, toolName, input, messageId, index, at });
  }

  #showProgress(call: OpenCall, { state }: OpencodeTool, { at, emit }: LineContext): void {
    const output = stringField(objectField(state, "metadata"), "output") ?? "";
    if (output.length <= call.shownLength) return;
    const text = keepEnd(output.slice(call.shownLength), maxProgressLength);
    call.shownLength = output.length;
    emit({ type: "tool-progress", toolUseId: call.toolUseId, text, at });
  }

  #end(key: string, { toolUseId, toolName }: OpenCall, tool: OpencodeTool, { ids, at, emit }: LineContext): void {
    this.#open.delete(key);
    this.#ended.add(key);
    emit({ type: "tool-result", resultId: ids.next(), toolUseId, toolName, ...toOpencodeResult(tool), at });
  }
}

function toAskedInput(request: JsonObject): JsonValue {
  const questions = arrayField(request, "questions");
  if (questions !== undefined) return { questions };
  const patterns = request.patterns ?? request.pattern;
  return { ...objectField(request, "metadata"), ...(patterns === undefined ? {} : { patterns }) };
}
