import type { AgentOutput, Usage } from "@skein/contracts";
import { addUsage, formatText } from "@skein/engine";
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
}

/** The part that is stored with the log's offset: lines before it are not read again after a restart. */
export type StoredObservation = { closing?: Closing; hasSpoken?: boolean; hasWorked?: boolean };

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
  };

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
    }),
  };
}

function toUsage(closing: Closing | undefined): Pick<Closing, "usage"> {
  return closing?.usage === undefined ? {} : { usage: closing.usage };
}
