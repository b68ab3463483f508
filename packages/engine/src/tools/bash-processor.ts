import type { FileDiff, ToolDetails } from "@skein/contracts";
import { toToolDiff } from "@skein/contracts/tool-diff";
import { keepEnd } from "../text/truncate.ts";
import { boundHunks, readHunks } from "./file-diff.ts";
import { arrayField, asObject, booleanField, numberField, objectField, stringField } from "./json-fields.ts";
import type { SummaryDraft, ToolObservation, ToolProcessor } from "./tool-processor.ts";

const maxOutputLength = 256 * 1024;
const maxChangedFiles = 50;
const toldExitCode = /^(?:Error: )?Exit code (\d{1,10})(?:\n|$)/;

/**
 * A command is shown as its output, together with the files it changed, if the agent reports them: a user who sees `npm run format` wants
 * to know both, and missing output would look lost.
 */
export const bashProcessor: ToolProcessor = {
  toolNames: ["bash", "Bash"],
  present(observation) {
    const command = stringField(observation.input, "command") ?? "";
    const summary = toSummary(observation, command);
    // A denied command printed nothing: the reason must not look like its output.
    return observation.state === "denied" ? { summary } : { summary, details: toDetails(observation, command) };
  },
};

/** A command that failed did run, unless there was none. */
function toSummary({ state, structured, isError }: ToolObservation, command: string): SummaryDraft {
  if (state === "failed" && command.trim() === "") return { action: "start" };
  const isStarted = state === "completed" && !isError && isInBackground(structured);
  return { action: isStarted ? "start" : "run", subject: command };
}

function toDetails(observation: ToolObservation, command: string): ToolDetails {
  const { structured } = observation;
  const changedFiles = readChangedFiles(observation);
  return {
    type: "commandOutput",
    data: {
      command,
      stdout: keepEnd(toStdout(observation), maxOutputLength),
      stderr: keepEnd(stringField(structured, "stderr") ?? "", maxOutputLength),
      exitCode: findExitCode(observation),
      ...(changedFiles.length === 0 ? {} : { changedFiles: changedFiles.map(toToolDiff) }),
    },
  };
}

function toStdout({ structured, output }: ToolObservation): string {
  const stdout = stringField(structured, "stdout");
  if (stdout === undefined) return output.replace(toldExitCode, "");
  const rest = stringField(structured, "persistedOutputPath");
  return rest === undefined ? stdout : `${stdout}\n[all of the output is in ${rest}]`;
}

function isInBackground(structured: ToolObservation["structured"]): boolean {
  return stringField(structured, "backgroundTaskId") !== undefined;
}

function findExitCode({ structured, state, isError, output }: ToolObservation): number | null {
  const exitCode = numberField(structured, "exitCode");
  if (exitCode !== undefined && Number.isSafeInteger(exitCode)) return exitCode;
  // Reported as null: a signal or a timeout ended it.
  if (asObject(structured)?.exitCode === null) return null;
  if (isInBackground(structured)) return null;
  if (state === "completed" && !isError) return 0;
  // Some agents report the exit code of a failed command only in its text.
  const reported = state === "completed" || state === "failed" ? toldExitCode.exec(output)?.[1] : undefined;
  return reported === undefined ? null : Number(reported);
}

function readChangedFiles({ structured }: ToolObservation): FileDiff[] {
  const files = arrayField(objectField(structured, "bashEditDiff"), "files") ?? [];
  return files.slice(0, maxChangedFiles).flatMap((file) => {
    const filePath = stringField(file, "filePath");
    if (filePath === undefined) return [];
    const hunks = boundHunks(readHunks(file, "hunks") ?? []);
    return [{ filePath, change: toChange(booleanField(file, "created"), booleanField(file, "deleted")), hunks }];
  });
}

function toChange(created: boolean | undefined, deleted: boolean | undefined): NonNullable<FileDiff["change"]> {
  if (created === true) return "created";
  return deleted === true ? "deleted" : "updated";
}
