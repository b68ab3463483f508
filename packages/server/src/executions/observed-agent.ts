import type { AgentOutput, Usage } from "@skein/contracts";
import { addUsage, formatText } from "@skein/engine";
import { isAnswer, isWork } from "./is-answer.ts";
import { type Fact, isFact } from "./save-facts.ts";

type Closing = Extract<AgentOutput, { type: "end" }>;

/** What an execution's end depends on, as far as its log was read. */
export interface ObservedAgent {
  /** The agent's own closing record. The last one counts: an agent whose subagents worked on in the background sends another. */
  closing: Closing | undefined;
  /** It said or did something that was shown. */
  hasSpoken: boolean;
  /** It had begun to work on its message. */
  hasWorked: boolean;
  /** The last error that the conversation shows. */
  shownError: string | undefined;
  /** The usage of its messages so far. */
  usage: Usage;
}

/** The part that is stored with the log's offset: lines before it are not read again after a restart. */
export type StoredObservation = { closing?: Closing; hasSpoken?: boolean; hasWorked?: boolean };

export interface AgentObserver {
  readonly observed: Readonly<ObservedAgent>;
  /** Returns what others act on. */
  observe(output: AgentOutput): Fact[];
  snapshot(): StoredObservation;
}

/** `saved` is null at the start of a log. An earlier release stored less: then the agent has spoken. */
export function createAgentObserver(input: {
  saved: StoredObservation | null;
  /** Tool uses with an open question. */
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

  /** A tool that ran while its question is open; what failed may never have run, and what prints has run, however it ends. */
  function findUnanswered(output: AgentOutput): Fact[] {
    const hasRun = output.type === "tool-progress" || (output.type === "tool-result" && !output.isError);
    if (!hasRun || output.toolUseId === undefined || !asked.delete(output.toolUseId)) return [];
    return [{ type: "tool-ran", toolUseId: output.toolUseId, at: output.at }];
  }

  return {
    observed,
    observe(output) {
      // an end without figures does not take back those of an earlier one: a stopped agent reports them before it is gone
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
