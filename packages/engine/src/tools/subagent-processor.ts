import type { JsonValue } from "@skein/contracts";
import { keepStart } from "../text/truncate.ts";
import { arrayField, countField, stringField } from "./json-fields.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

const maxTextLength = 64 * 1024;

/** A subagent: listed as `Task`, called as `Agent`. */
export const subagentProcessor: ToolProcessor = {
  toolNames: ["Task", "Agent"],
  present(observation) {
    const { input, structured } = observation;
    const subject = stringField(input, "description") ?? "";
    const isInBackground = stringField(structured, "status") === "async_launched";
    const agentType = stringField(input, "subagent_type") ?? stringField(structured, "agentType");
    const prompt = stringField(input, "prompt");
    const report = toReport(observation, isInBackground);
    return {
      summary: { action: isInBackground ? "start-subagent" : "run-subagent", subject },
      details: {
        type: "subagent",
        data: {
          description: keepStart(subject || "subagent", maxTextLength),
          ...(agentType === undefined ? {} : { agentType }),
          ...(prompt === undefined ? {} : { prompt: keepStart(prompt, maxTextLength) }),
          ...(report === undefined ? {} : { result: keepStart(report, maxTextLength) }),
        },
      },
    };
  },
};

/** None while it runs; the error after a failure. */
function toReport(observation: ToolObservation, isInBackground: boolean): string | undefined {
  if (isInBackground) return undefined;
  if (hasSucceeded(observation)) return readReport(observation.structured) ?? observation.output;
  return observation.state === "running" || observation.output === "" ? undefined : observation.output;
}

/** The subagent's own text, without notes that the program adds for the model. */
function readReport(structured: JsonValue | undefined): string | undefined {
  const content = arrayField(structured, "content");
  if (content === undefined) return undefined;
  const start = countField(structured, 0, "harnessNoteCount") ?? 0;
  const end = content.length - (countField(structured, 0, "harnessTailCount") ?? 0);
  return content
    .slice(start, end)
    .map((block) => stringField(block, "text") ?? "")
    .join("\n");
}
