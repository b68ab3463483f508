import type { AgentOutput, ProviderLimit, Usage } from "@skein/contracts";
import { addUsage, formatText } from "@skein/engine";
import { costOf } from "@skein/providers/cost-of";
import { isAnswer, isWork } from "./is-answer.ts";
import { type Fact, isFact } from "./save-facts.ts";

type Closing = Extract<AgentOutput, { type: "end" }>;

/** Facts from the log that determine an execution's end. */
export interface ObservedAgent {
  /** The agent's own closing record. The last one counts: an agent with background subagents may send several. */
  closing: Closing | undefined;
  /** It said or did something that was shown. */
  hasSpoken: boolean;
  /** It had started to work on its message. */
  hasWorked: boolean;
  /** The last error shown in the conversation. */
  shownError: string | undefined;
  /** Accumulated usage of its messages. */
  usage: Usage;
  /** What it has used, as far as it reported that while it worked; with a cost at list prices if it reports only tokens. */
  spent: Usage;
  /** Its provider accepts no more requests. */
  limit: ProviderLimit | undefined;
}

/** The part that is stored with the log's offset: lines before it are not read again after a restart. */
export type StoredObservation = { closing?: Closing; hasSpoken?: boolean; hasWorked?: boolean; spent?: Usage; limit?: ProviderLimit };

export interface AgentObserver {
  readonly observed: Readonly<ObservedAgent>;
  /** Returns the facts that others act on. */
  observe(output: AgentOutput): Fact[];
  snapshot(): StoredObservation;
}

/** `saved` is null at the start of a log. An earlier release stored less; then the agent counts as having spoken. */
export function createAgentObserver(input: {
  saved: StoredObservation | null;
  /** Tool uses with an open approval. */
  askedToolUses: Iterable<string>;
}): AgentObserver {
  const { saved } = input;
  const asked = new Set(input.askedToolUses);
  const observed: ObservedAgent = {
    closing: saved?.closing,
    hasSpoken: saved !== null && (saved.hasSpoken ?? true),
    hasWorked: saved !== null && (saved.hasWorked ?? true),
    shownError: undefined,
    usage: {},
    spent: saved?.spent ?? {},
    limit: saved?.limit,
  };

  /** Requests that are reported one by one have a price; the cost that an agent reports itself takes precedence. */
  function addSpent({ usage, request }: Extract<AgentOutput, { type: "usage" }>): void {
    const { costUsd: before = 0 } = observed.spent;
    const estimated = request === undefined ? undefined : costOf(request.usage, request.model);
    const costUsd = usage.costUsd ?? (estimated === undefined && before === 0 ? undefined : before + (estimated ?? 0));
    observed.spent = { ...usage, ...(costUsd === undefined ? {} : { costUsd }) };
  }

  /** A tool that ran while its approval is open. A failed tool may never have run; one that printed something did. */
  function findUnanswered(output: AgentOutput): Fact[] {
    const hasRun = output.type === "tool-progress" || (output.type === "tool-result" && !output.isError);
    if (!hasRun || output.toolUseId === undefined || !asked.delete(output.toolUseId)) return [];
    return [{ type: "tool-ran", toolUseId: output.toolUseId, at: output.at }];
  }

  return {
    observed,
    observe(output) {
      // an end without usage does not override an earlier one: a stopped agent reports usage before it exits
      if (output.type === "end") observed.closing = output.usage === undefined ? { ...output, ...toUsage(observed.closing) } : output;
      if (output.type === "error") observed.shownError = formatText(output.text);
      if (output.type === "usage") addSpent(output);
      if (output.type === "limit") observed.limit = output.limit ?? undefined;
      observed.hasSpoken ||= isAnswer(output);
      observed.hasWorked ||= isWork(output);
      if (output.type === "message-end" && output.usage !== undefined) observed.usage = addUsage(observed.usage, output.usage);
      if (output.type === "approval-request") asked.add(output.toolUseId);
      if (output.type === "approval-withdrawn") asked.delete(output.toolUseId);
      return [...(isFact(output) ? [output] : []), ...findUnanswered(output)];
    },
    snapshot: () => ({
      ...(observed.closing === undefined ? {} : { closing: observed.closing }),
      hasSpoken: observed.hasSpoken,
      hasWorked: observed.hasWorked,
      spent: observed.spent,
      ...(observed.limit === undefined ? {} : { limit: observed.limit }),
    }),
  };
}

function toUsage(closing: Closing | undefined): Pick<Closing, "usage"> {
  return closing?.usage === undefined ? {} : { usage: closing.usage };
}
