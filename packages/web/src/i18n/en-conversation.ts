import { createPlural } from "./plural.ts";
import type { Texts } from "./texts.ts";

const plural = createPlural("en");

/** The conversation of an attempt, and what is written to it. */
export const conversationEn = {
  composer: {
    label: "Message",
    placeholder: "What should the agent do?",
    placeholderRunning: "Queue the next message; it is sent when the agent is done",
    send: "Send",
    queue: "Queue",
    stop: "Stop",
    hintSend: "Enter to send",
    hintQueue: "Enter to queue",
    hintNewline: "Shift+Enter for a new line",
    hintStop: "Esc to stop",
    hintAnswer: "Esc to answer the agent",
    notSent: "Not sent",
    backToComposer: "Edit",
    attachImage: "Attach an image",
    removeImage: "Remove the image",
    sendNow: "Send now",
    sendNowHint: "The agent reads it at its next step, without waiting for the end (Ctrl or ⌘+Enter)",
    hintSteer: "Ctrl+Enter to send now",
  },
  queue: {
    edit: "Edit queued message",
    remove: "Remove queued message",
    steer: "will be read at the next step",
  },
  conversation: {
    label: "Conversation",
    you: "You",
    agent: "Agent",
    system: "System",
    thinking: "Thinking",
    thought: "Thought",
    working: "Working",
    held: {
      title: "Waiting to start",
      reason: "As many agents are running as your limits allow.",
      before: (count: number) =>
        count === 0
          ? "As many agents are running as your limits allow. This one is next."
          : `As many agents are running as your limits allow. ${plural(count, { one: "# other starts", other: "# others start" })} before it.`,
      server: (name: string) => `The server ${name} is being drained. The agent starts when it is back.`,
      startNow: "Start now",
      order: "Order and limits",
    },
    newMessages: "New messages",
    toEnd: "Go to the end",
    loadingOlder: "Loading earlier messages…",
    interrupted: "Interrupted here",
    showAll: (count: number) => plural(count, { one: "Show # more line", other: "Show # more lines" }),
    showAllItems: (count: number) => plural(count, { one: "Show # more", other: "Show # more" }),
    showMore: (characters: string) => `Show more (${characters} more characters)`,
    notDrawn: "This cannot be displayed. Its text begins with:",
    copyRaw: "Copy the raw text",
    summary: (count: number) => plural(count, { one: "Summary of # earlier message", other: "Summary of # earlier messages" }),
    imageAlt: "Attached image",
    remoteImage: (alt: string) => (alt ? `Image: ${alt}` : "Image"),
    statusRunning: "The agent is working",
    statusDone: "The agent is done",
    statusWaiting: "The agent is waiting for your answer",
    couldNotLoad: "The conversation could not be loaded",
    undoSummary: "Undo",
    undoSummaryHint: "The agent gets the earlier messages again instead of this summary.",
    summaryUndone: "Undone: the agent gets the earlier messages again.",
  },
  execution: {
    label: "End of the execution",
    status: { success: "Finished", failed: "Failed", cancelled: "Stopped", interrupted: "Interrupted" },
    /** For agents that report only some of their requests. */
    atLeast: (count: string) => `at least ${count}`,
    tokensIn: (count: string) => `${count} tokens in`,
    tokensOut: (count: string) => `${count} out`,
    continue: "Continue",
    continueMessage: "Continue where you stopped.",
  },
};

export type ConversationText = Texts<typeof conversationEn>;
