import type { JsonValue } from "@skein/contracts";
import { toTitledSummary } from "./acp-kind-processors.ts";
import { bashProcessor } from "./bash-processor.ts";
import { stringField, stringsField } from "./json-fields.ts";
import { unwrapShellCommand } from "./shell-command.ts";
import type { SummaryDraft, ToolObservation, ToolProcessor } from "./tool-processor.ts";

/** Commands under the names of Codex, Gemini CLI and ACP. */
export const shellProcessor: ToolProcessor = {
  toolNames: ["command_execution", "exec_command", "shell", "local_shell", "run_shell_command", "execute"],
  present(observation) {
    const { toolName, structured } = observation;
    const command = unwrapShellCommand(readCommand(observation.input));
    // Gemini CLI reports every command as a success, without an exit code: 0 would be a guess.
    const reported = structured === undefined && toolName === "run_shell_command" ? { exitCode: null } : structured;
    const shown = bashProcessor.present({ ...observation, input: { command }, structured: reported });
    const untyped = command === "" ? toUntypedSummary(observation) : undefined;
    if (untyped !== undefined) return { ...shown, summary: untyped };
    // A command for which the agent has no tool did not run.
    const isUnknown = observation.state === "failed" && /^Tool ".*" not found\./.test(observation.output);
    return isUnknown ? { summary: { action: "start", subject: command } } : shown;
  },
};

/** Over ACP, Codex reports the effect of a read-only command, but not the command. */
function toUntypedSummary(observation: ToolObservation): SummaryDraft | undefined {
  const path = stringField(observation.input, "path");
  return path === undefined ? toTitledSummary(observation) : { action: "read", subject: path };
}

function readCommand(input: JsonValue): string {
  const words = stringsField(input, "command");
  if (words === undefined) return stringField(input, "command", "cmd") ?? "";
  // ["bash", "-lc", "…"]: the last word is the command.
  return words.length === 3 && /^-l?c$/.test(words[1] ?? "") ? (words[2] ?? "") : words.join(" ");
}
