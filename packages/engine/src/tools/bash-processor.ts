import type { ToolDetails } from "@skein/contracts";
import { keepEnd } from "../text/truncate.ts";
import { asObject, numberField, stringField } from "./json-fields.ts";
import { toSubject } from "./summaries.ts";
import type { ToolObservation, ToolProcessor } from "./tool-processor.ts";

const maxOutputLength = 256 * 1024;

export const bashProcessor: ToolProcessor = {
  toolNames: ["bash", "Bash"],
  present(observation) {
    const command = stringField(observation.input, "command") ?? "";
    return { summary: toSummary(observation, toSubject(command) || "command"), details: toDetails(observation, command) };
  },
};

/** A command that failed did run: its state and exit code tell how it went. */
function toSummary({ state }: ToolObservation, command: string): string {
  switch (state) {
    case "running":
      return `Running ${command}`;
    case "denied":
      return `Running ${command} was denied`;
    case "interrupted":
      return `Running ${command} was interrupted`;
    case "timed-out":
      return `Running ${command} timed out`;
    default:
      return `Ran ${command}`;
  }
}

function toDetails(observation: ToolObservation, command: string): ToolDetails {
  const { structured, output } = observation;
  return {
    type: "commandOutput",
    data: {
      command,
      stdout: keepEnd(stringField(structured, "stdout") ?? output, maxOutputLength),
      stderr: keepEnd(stringField(structured, "stderr") ?? "", maxOutputLength),
      exitCode: findExitCode(observation),
    },
  };
}

function findExitCode({ structured, state, isError, output }: ToolObservation): number | null {
  const exitCode = numberField(structured, "exitCode");
  if (exitCode !== undefined && Number.isSafeInteger(exitCode)) return exitCode;
  // Told to be null: a signal or a time-out ended it.
  if (asObject(structured)?.exitCode === null) return null;
  if (state === "completed" && !isError) return 0;
  // Some agents tell the exit code of a failed command in its text only.
  const told = state === "completed" || state === "failed" ? /^(?:Error: )?Exit code (\d{1,10})\b/.exec(output)?.[1] : undefined;
  return told === undefined ? null : Number(told);
}
