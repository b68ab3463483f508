import type { JsonValue } from "@skein/contracts";
import { arrayField, asObject, keepEnd, keepNewest } from "@skein/engine";
import { AssistantBlocks, type AssistantBlocksState, type BlockAddress } from "../lines/assistant-blocks.ts";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toPlanItems } from "../lines/plan-items.ts";
import { PlanUpdates, type PlanUpdatesState } from "../lines/plan-updates.ts";
import { planTool } from "./codex-approvals.ts";
import type { CodexItem } from "./codex-item.ts";
import { isSandboxFailure, sandboxHint } from "./explain-codex-failure.ts";

const maxOpenCalls = 64;
/** Limit for the changes of one call, as JSON: a longer change is listed without its text. */
const maxChangesLength = 512 * 1024;
const maxOpenTexts = 16;

export interface CodexItemsState {
  blocks: AssistantBlocksState;
  plan: PlanUpdatesState;
  /** Includes the content of file changes, for requests about them. Snapshots of earlier releases have only the paths. */
  openCalls: [string, (JsonObject | string)[]][];
  openTexts: [string, BlockAddress & { type: "text" | "thinking" }][];
  toldOfSandbox: boolean;
}

/** Items of both protocols become blocks and results as they begin, grow and end. */
export class CodexItems {
  readonly #blocks: AssistantBlocks;
  readonly #plan: PlanUpdates;
  readonly #openCalls: Map<string, JsonObject[]>;
  readonly #openTexts: Map<string, BlockAddress & { type: "text" | "thinking" }>;

  #hasReportedSandbox: boolean;

  constructor(state?: CodexItemsState) {
    this.#blocks = new AssistantBlocks(state?.blocks);
    this.#plan = new PlanUpdates(state?.plan);
    this.#openCalls = new Map(state?.openCalls.map(([id, changes]) => [id, changes.map(toChange)]));
    this.#openTexts = new Map(state?.openTexts);
    this.#hasReportedSandbox = state?.toldOfSandbox ?? false;
  }

  start(id: string, item: CodexItem, context: LineContext): void {
    if (item.type === "tool") this.#use(id, item, context);
    else if (item.type === "plan") this.#plan.show(item.items, this.#blocks, context);
  }

  /** Also for an item that never began: some appear only when they are done. */
  complete(id: string, item: CodexItem, context: LineContext): void {
    const { ids, at, emit } = context;
    switch (item.type) {
      case "echo":
        return;
      case "text":
      case "thinking": {
        const key = context.toolUseId(id);
        const open = this.#openTexts.get(key);
        if (open === undefined && item.text === "") return;
        const { messageId, index } = open ?? this.#blocks.addText(ids);
        this.#openTexts.delete(key);
        emit({ type: item.type, mode: "whole", text: item.text, messageId, index, at });
        return;
      }
      case "plan":
        this.#plan.show(item.items, this.#blocks, context);
        return;
      case "proposal":
        // it ends with the user's answer, or with the execution
        this.#use(id, { type: "tool", toolName: planTool, input: { plan: item.plan }, result: { output: "", isError: false } }, context);
        return;
      case "notice":
        emit({ type: "notice", messageId: ids.next(), text: item.text, code: item.code, at });
        return;
      case "tool": {
        const toolUseId = context.toolUseId(id);
        if (!this.#openCalls.has(toolUseId)) this.#use(id, item, context);
        this.#openCalls.delete(toolUseId);
        this.#blocks.addResult();
        emit({ type: "tool-result", resultId: ids.next(), toolUseId, toolName: item.toolName, ...item.result, at });
        this.#reportSandbox(item, context);
      }
    }
  }

  /** Every command then fails with a message that only sandbox experts understand: explained once, with a remedy. */
  #reportSandbox({ toolName, result }: Extract<CodexItem, { type: "tool" }>, { ids, at, emit }: LineContext): void {
    if (this.#hasReportedSandbox || toolName !== "command_execution" || !result.isError || !isSandboxFailure(result.output)) return;
    this.#hasReportedSandbox = true;
    emit({ type: "notice", messageId: ids.next(), text: sandboxHint, code: "sandbox-failed", at });
  }

  addText(id: string, type: "text" | "thinking", text: string, { ids, at, toolUseId, emit }: LineContext): void {
    if (text === "") return;
    const key = toolUseId(id);
    const open = this.#openTexts.get(key) ?? { ...this.#blocks.addText(ids), type };
    this.#openTexts.set(key, open);
    keepNewest(this.#openTexts, maxOpenTexts);
    emit({ type: open.type, mode: "delta", text, messageId: open.messageId, index: open.index, at });
  }

  /** The next paragraph of a text that has begun. */
  addParagraph(id: string, context: LineContext): void {
    if (this.#openTexts.has(context.toolUseId(id))) this.addText(id, "thinking", "\n\n", context);
  }

  addProgress(id: string, text: string, { at, toolUseId, emit }: LineContext): void {
    emit({ type: "tool-progress", toolUseId: toolUseId(id), text: keepEnd(text, 64 * 1024), at });
  }

  /** The pending changes of an open call. */
  findChanges(id: string, { toolUseId }: LineContext): JsonObject[] {
    return this.#openCalls.get(toolUseId(id)) ?? [];
  }

  showPlan(entries: readonly JsonValue[], context: LineContext): void {
    this.#plan.show(toPlanItems(entries), this.#blocks, context);
  }

  save(): CodexItemsState {
    return {
      blocks: this.#blocks.save(),
      plan: this.#plan.save(),
      openCalls: [...this.#openCalls],
      openTexts: [...this.#openTexts].map(([id, open]) => [id, { ...open }]),
      toldOfSandbox: this.#hasReportedSandbox,
    };
  }

  #use(id: string, item: Extract<CodexItem, { type: "tool" }>, { ids, at, toolUseId, emit }: LineContext): void {
    const scoped = toolUseId(id);
    this.#openCalls.set(scoped, toKeptChanges(arrayField(item.input, "changes") ?? []));
    keepNewest(this.#openCalls, maxOpenCalls);
    emit({ type: "tool-use", toolUseId: scoped, toolName: item.toolName, input: item.input, ...this.#blocks.addUse(ids), at });
  }
}

function toChange(change: JsonObject | string): JsonObject {
  return typeof change === "string" ? { path: change } : change;
}

/** They are part of every snapshot while the call is open. */
function toKeptChanges(changes: readonly JsonValue[]): JsonObject[] {
  let left = maxChangesLength;
  return changes.flatMap((value): JsonObject[] => {
    const change = asObject(value);
    if (change === undefined) return [];
    const { diff, ...rest } = change;
    const { length } = JSON.stringify(change);
    left -= length;
    return [left >= 0 || diff === undefined ? change : rest];
  });
}
