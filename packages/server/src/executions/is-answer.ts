import type { AgentOutput } from "@skein/contracts";

const answers: ReadonlySet<AgentOutput["type"]> = new Set([
  "text",
  "thinking",
  "tool-use",
  "tool-progress",
  "tool-result",
  "error",
  "raw",
  "compression",
]);
/** Notices about the agent's state. An execution whose model never responded has only these. */
const noticesAboutIt = new Set([
  "before-agent",
  "permissions-ignored",
  "session-replaced",
  "session-resumed",
  "session-not-found",
  "images-left-out",
  "system-prompt-left-out",
  "mode",
  "changed-elsewhere",
  "agent-retry",
  "agent-silent",
]);

/**
 * Whether the agent has started to work on its message: it said or did something, or took another message. Until then the message can
 * be retried. Unreadable output counts, because it may have been work.
 */
export function isWork(output: AgentOutput): boolean {
  return output.type === "user-message" || (output.type !== "notice" && output.type !== "error" && isAnswer(output));
}

/** Whether the agent said or did something: an execution without an answer has not succeeded (E5). */
export function isAnswer(output: AgentOutput): boolean {
  if (output.type === "notice") return !noticesAboutIt.has(output.code ?? "");
  if (output.type === "tool-use") return output.ofSkein !== true;
  // output of the setup script precedes the agent
  return answers.has(output.type) && !("toolUseId" in output && output.toolUseId?.startsWith("setup_"));
}
