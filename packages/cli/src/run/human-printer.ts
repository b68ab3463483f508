import type { ConversationMessage, EndedExecution } from "@skein/contracts";
import { formatMessage } from "../format/conversation-text.ts";
import { formatDuration } from "../format/duration.ts";
import { formatUsage } from "../format/usage-line.ts";
import type { Paint } from "../terminal/style.ts";
import { toTerminalText } from "../terminal/terminal-text.ts";
import type { RunPrinter } from "./run-printer.ts";

/** Prints a line for each tool execution that ended, and the assistant's text as it arrives. */
export function createHumanPrinter({ out, paint }: { out: (text: string) => void; paint: Paint }): RunPrinter {
  const printed = new Set<string>();
  const shownText = new Map<string, string>();
  const saidErrors = new Set<string>();
  /** The message whose text ends the output without a newline. */
  let openMessage: string | undefined;

  function closeLine(): void {
    if (openMessage !== undefined) out("\n");
    openMessage = undefined;
  }

  function line(text: string): void {
    closeLine();
    out(`${text}\n`);
  }

  function grow(id: string, content: string): void {
    const text = toTerminalText(content);
    const shown = shownText.get(id) ?? "";
    if (text === shown) return;
    // A retried model call discards its text: the new text does not extend the old one.
    const rest = text.startsWith(shown) ? text.slice(shown.length) : text;
    if (openMessage !== id || rest === text) closeLine();
    out(rest);
    openMessage = rest.endsWith("\n") ? undefined : id;
    shownText.set(id, text);
  }

  function show(message: ConversationMessage): void {
    if (message.role === "user" || message.messageType === "thinking") return;
    if (message.messageType === "text") {
      grow(message.id, message.content);
      return;
    }
    if (message.messageType === "tool_execution" && message.metadata.state === "running") return;
    // The end of a tool comes twice: live, and committed with the turn.
    if (printed.has(message.id)) return;
    printed.add(message.id);
    if (message.messageType === "error" || message.messageType === "notice") saidErrors.add(message.content);
    line(formatMessage(message, paint));
  }

  return {
    event({ event }) {
      if (event.type === "message:added") show(event.message);
      if (event.type === "state:conversation-sync") event.state?.messages.forEach(show);
    },
    endLine: closeLine,
    note: (text) => line(paint("yellow", text)),
    end(execution, lines) {
      line("");
      // the conversation shows the reason already
      const reason = execution.reason !== null && saidErrors.has(execution.reason) ? null : execution.reason;
      out([formatEnd({ ...execution, reason }, paint), ...lines].map((text) => `${text}\n`).join(""));
    },
  };
}

function formatEnd(execution: EndedExecution, paint: Paint): string {
  const outcome = {
    success: paint("green", "Done"),
    failed: paint("red", "Failed"),
    cancelled: paint("yellow", "Stopped"),
    interrupted: paint("red", "Interrupted"),
  }[execution.status];
  const reason = execution.reason === null ? "" : `: ${toTerminalText(execution.reason)}`;
  const usage = formatUsage(execution.usage);
  return `${outcome} after ${formatDuration(execution.durationMs)}${usage === undefined ? "" : ` (${usage})`}${reason}`;
}
