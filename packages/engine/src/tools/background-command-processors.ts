import { keepEnd } from "../text/truncate.ts";
import { countField, objectField, stringField } from "./json-fields.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

const maxOutputLength = 256 * 1024;
const idNames = ["bash_id", "shell_id", "task_id", "jobId"];

/** The output of a background command. */
export const commandOutputProcessor: ToolProcessor = {
  toolNames: ["BashOutput", "TaskOutput", "job_output"],
  present(observation) {
    const { input, output } = observation;
    const result = objectField(observation.structured, "task") ?? observation.structured;
    const id = stringField(input, ...idNames) ?? "";
    const command = stringField(result, "command", "description") ?? id;
    const summary = { action: "read-output", subject: command } as const;
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

/** Stops a background command. */
export const stopCommandProcessor: ToolProcessor = {
  toolNames: ["KillShell", "KillBash", "TaskStop", "job_stop"],
  present(observation) {
    const subject = stringField(observation.structured, "command") ?? stringField(observation.input, ...idNames);
    return { summary: { action: "stop", subject } };
  },
};

/** Lists the background commands. */
export const listCommandsProcessor: ToolProcessor = {
  toolNames: ["jobs"],
  present: () => ({ summary: { action: "list-commands" } }),
};
