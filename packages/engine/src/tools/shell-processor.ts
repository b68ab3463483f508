import type { JsonValue } from "@skein/contracts";
import { titledProcessor } from "./acp-kind-processors.ts";
import { bashProcessor } from "./bash-processor.ts";
import { stringField, stringsField } from "./json-fields.ts";
import { unwrapShellCommand } from "./shell-command.ts";
import { toSubject } from "./summaries.ts";
import type { ToolProcessor } from "./tool-processor.ts";

/** Commands under the names of Codex, Gemini CLI and ACP. */
export const shellProcessor: ToolProcessor = {
  toolNames: ["command_execution", "exec_command", "shell", "local_shell", "run_shell_command", "execute"],
  present(observation) {
    const { toolName, structured } = observation;
    const command = unwrapShellCommand(readCommand(observation.input));
    // Gemini CLI calls every command a success and tells no exit code: 0 would be a guess.
    const told = structured === undefined && toolName === "run_shell_command" ? { exitCode: null } : structured;
    const shown = bashProcessor.present({ ...observation, input: { command }, structured: told });
    if (command === "" && stringField(observation.input, "title") !== undefined) {
      return { ...shown, summary: titledProcessor.present(observation).summary };
    }
    // A command that the agent has no tool for did not run.
    const isUnknown = observation.state === "failed" && /^Tool ".*" not found\./.test(observation.output);
    return isUnknown ? { summary: `Could not run ${toSubject(command)}` } : shown;
  },
};

function readCommand(input: JsonValue): string {
  const words = stringsField(input, "command");
  if (words === undefined) return stringField(input, "command", "cmd") ?? "";
  // ["bash", "-lc", "…"]: the last word is what was typed.
  return words.length === 3 && /^-l?c$/.test(words[1] ?? "") ? (words[2] ?? "") : words.join(" ");
}
