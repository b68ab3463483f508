import type { JsonValue, Usage } from "@skein/contracts";
import { addUsage, countField, numberField, objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { toWholeUsage, withOutputOf } from "../lines/whole-usage.ts";

export interface AcpUsageState {
  usage: Usage;
  costBefore: number | null;
  cost: number | null;
  /** Of the requests of this prompt, if each one is reported. */
  requests?: Usage | null;
  calls?: number;
}

/** Agents whose figures for a prompt are wrong, by the name in their `initialize` answer. */
const scopes: Readonly<Record<string, "session" | "last-request">> = { Copilot: "session", OpenCode: "last-request" };

/**
 * Usage of an execution. Depending on the agent, a prompt reports its own tokens, those of all prompts since the program started, or only
 * those of its last request. Costs are those of the session since it was created.
 */
export class AcpUsage {
  #usage: Usage;
  #costBefore: number | null;
  #cost: number | null;
  #requests: Usage | null;
  #calls: number;

  constructor(state?: AcpUsageState) {
    this.#usage = state?.usage ?? {};
    this.#costBefore = state?.costBefore ?? null;
    this.#cost = state?.cost ?? null;
    this.#requests = state?.requests ?? null;
    this.#calls = state?.calls ?? 0;
  }

  /** A session that has cost nothing yet. */
  begin(): void {
    this.#costBefore = 0;
  }

  /** An update; `isHistory` while a session is loaded. Returns whether more is known of what the prompt has used. */
  see(update: JsonObject, isHistory: boolean): boolean {
    const kind = stringField(update, "sessionUpdate");
    const isCostKnown = kind === "usage_update" && this.#seeCost(update, isHistory);
    if (isHistory) return false;
    if (kind === "tool_call") this.#calls += 1;
    // Qwen Code reports the tokens of each request with an empty text, and none with its answer
    const request = toUsage(objectField(objectField(update, "_meta"), "usage"));
    if (request !== undefined) this.#requests = addUsage(this.#requests ?? {}, request);
    return isCostKnown || request !== undefined;
  }

  /** What is known while a prompt runs; undefined if the agent reports nothing. */
  progress(): Usage | undefined {
    const usage = { ...addUsage(this.#usage, this.#requests ?? {}), ...this.#spentCost() };
    return Object.keys(usage).length === 0 ? undefined : usage;
  }

  /** The total so far, including a prompt that has just ended. */
  end(result: JsonObject, agentName: string): Usage | undefined {
    const scope = Object.hasOwn(scopes, agentName) ? scopes[agentName] : undefined;
    const reported = toPromptUsage(result);
    const prompt = reported ?? this.#requests ?? {};
    this.#usage = scope === "session" && reported !== undefined ? reported : addUsage(this.#usage, prompt);
    // without calls there was only one request, so its figures are complete
    if (scope === "last-request" && reported !== undefined && this.#calls > 0) this.#usage.isPartial = true;
    this.#requests = null;
    this.#calls = 0;
    const whole = { ...this.#usage, ...this.#spentCost() };
    return Object.keys(whole).length === 0 ? undefined : whole;
  }

  save(): AcpUsageState {
    return { usage: this.#usage, costBefore: this.#costBefore, cost: this.#cost, requests: this.#requests, calls: this.#calls };
  }

  /** If an agent reports no cost on load, that of the session's earlier prompts is unknown. */
  #spentCost(): Pick<Usage, "costUsd"> {
    return this.#cost !== null && this.#costBefore !== null ? { costUsd: Math.max(0, this.#cost - this.#costBefore) } : {};
  }

  #seeCost(update: JsonObject, isHistory: boolean): boolean {
    const cost = objectField(update, "cost");
    const amount = stringField(cost, "currency") === "USD" ? numberField(cost, "amount") : undefined;
    if (amount === undefined || amount < 0) return false;
    if (isHistory) this.#costBefore = amount;
    else this.#cost = amount;
    return true;
  }
}

function toPromptUsage(result: JsonObject): Usage | undefined {
  const meta = objectField(result, "_meta");
  return toUsage(objectField(result, "usage") ?? objectField(objectField(meta, "quota"), "token_count") ?? objectField(meta, "usage"));
}

function toUsage(counts: JsonValue | undefined): Usage | undefined {
  const fields = {
    inputTokens: countField(counts, 0, "inputTokens", "input_tokens"),
    outputTokens: countField(counts, 0, "outputTokens", "output_tokens"),
    reasoningTokens: countField(counts, 0, "thoughtTokens"),
    cacheReadTokens: countField(counts, 0, "cachedReadTokens"),
    cacheWriteTokens: countField(counts, 0, "cachedWriteTokens"),
  };
  const reported = Object.entries(fields).filter((entry) => entry[1] !== undefined);
  if (reported.length === 0) return undefined;
  const usage: Usage = Object.fromEntries(reported);
  const total = countField(counts, 0, "totalTokens");
  // Some agents include cached tokens and thoughts in the two figures, some report them separately: the total shows which.
  if (total !== undefined && total === (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)) return usage;
  return withOutputOf(total, toWholeUsage(usage));
}
