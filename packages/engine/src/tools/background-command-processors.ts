import { keepEnd } from "../text/truncate.ts";
import { countField, objectField, stringField } from "./json-fields.ts";
import { summarize } from "./summaries.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

const maxOutputLength = 256 * 1024;
const idNames = ["bash_id", "shell_id", "task_id", "jobId"];

/** What a command in the background has printed. */
export const commandOutputProcessor: ToolProcessor = {
  toolNames: ["BashOutput", "TaskOutput", "job_output"],
  present(observation) {
    const { input, output } = observation;
    const result = objectField(observation.structured, "task") ?? observation.structured;
    const id = stringField(input, ...idNames) ?? "";
    const verbs = { running: "Reading output of", done: "Read output of", failed: "Could not read output of" };
    const command = stringField(result, "command", "description") ?? id;
    const summary = summarize(observation, verbs, command || "a background command");
    if (!hasSucceeded(observation)) return { summary };
    return {
      summary,
      details: {
        type: "commandOutput",
        data: {
          command,
          stdout: keepEnd(stringField(result, "stdout", "output") ?? output, maxOutputLength),
          stderr: keepEnd(stringField(result, "stderr") ?? "", maxOutputLength),
          exitCode: countField(result, 0, "exitCode") ?? null,
        },
      },
    };
  },
};

export const stopCommandProcessor: ToolProcessor = {
  toolNames: ["KillShell", "KillBash", "TaskStop", "job_stop"],
  present(observation) {
    const verbs = { running: "Stopping", done: "Stopped", failed: "Could not stop" };
    const subject = stringField(observation.structured, "command") ?? stringField(observation.input, ...idNames);
    return { summary: summarize(observation, verbs, subject ?? "a background command") };
  },
};

export const listCommandsProcessor: ToolProcessor = {
  toolNames: ["jobs"],
  present: (observation) => ({
    summary: summarize(observation, { running: "Listing", done: "Listed", failed: "Could not list" }, "background commands"),
  }),
};
