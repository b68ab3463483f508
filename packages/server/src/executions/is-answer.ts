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
/** What is said about an agent at work. One whose model never responded ends after these alone. */
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
 * Whether the agent has begun to work on its message: it said or did something, or took another message in. As long as it has
 * not, the message can be sent again. What cannot be read counts: it may have been work.
 */
export function isWork(output: AgentOutput): boolean {
  return output.type === "user-message" || (output.type !== "notice" && output.type !== "error" && isAnswer(output));
}

/** Whether it is something that the agent said or did: an execution without any has not succeeded (E5). */
export function isAnswer(output: AgentOutput): boolean {
  if (output.type === "notice") return !noticesAboutIt.has(output.code ?? "");
  if (output.type === "tool-use") return output.ofSkein !== true;
  // the setup's output comes before the agent
  return answers.has(output.type) && !("toolUseId" in output && output.toolUseId?.startsWith("setup_"));
}
