import { createPlural } from "./plural.ts";

const plural = createPlural("en");

/** What can be done after an execution has ended, a paused queue, and the limit of steps. */
export const flowEn = {
  queue: {
    paused: "Queue paused",
    why: {
      stopped: "You stopped the agent.",
      failed: "The last execution failed.",
      interrupted: "The last execution was interrupted.",
      limit: "The last execution reached its limit.",
    },
    explain: (why: string, then: string) => `${why} ${then}`,
    /** What a message does that is sent now. */
    sendsNow: "A new message goes first; the queue stays paused.",
    sendsLater: "A new message joins the end of the paused queue.",
    resume: "Continue with the queue",
    resumeNow: (count: number) =>
      plural(count, { one: "Send the queued message", other: "Send the # queued messages, one after the other" }),
    resumeLater: "Send the queued messages when the running execution has succeeded",
    discard: "Discard",
    discardLabel: "Discard the queue",
    discardTitle: (count: number) => plural(count, { one: "Discard # queued message?", other: "Discard # queued messages?" }),
    discardText: (count: number, first: string) =>
      count === 1
        ? `“${first}” has not been sent. It cannot be restored.`
        : `“${first}” and ${plural(count - 1, { other: "# more" })} have not been sent. They cannot be restored.`,
  },
  execution: {
    /** In place of how it ended. */
    codes: { "step-limit": "Step limit reached", "cost-limit": "Cost limit reached" },
    retry: "Retry",
    retryHint: "Send the same message again. The agent has not begun to work on it.",
    continueHint: "Send “Continue where you stopped.”",
  },
  composer: {
    placeholderPaused: "Add a message to the paused queue",
    hintPaused: "Enter to send now, ahead of the paused queue",
    hintAdd: "Enter to add to the paused queue",
    hintStop: "Esc to stop and pause the queue",
    stopTitle: (count: number) =>
      plural(count, {
        one: "Stop the agent. The queued message waits until you continue.",
        other: "Stop the agent. The # queued messages wait until you continue.",
      }),
  },
};
