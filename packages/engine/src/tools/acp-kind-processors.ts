import { stringField } from "./json-fields.ts";
import { toSubject } from "./summaries.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";
import { webFetchProcessor } from "./web-processors.ts";

const endings: Readonly<Record<ToolObservation["state"], string>> = {
  running: "",
  completed: "",
  failed: " failed",
  denied: " was denied",
  interrupted: " was interrupted",
  "timed-out": " timed out",
};

/** Calls of ACP agents that tell only what kind of tool it is: their title is all that is known, and it is written for people. */
export const titledProcessor: ToolProcessor = {
  toolNames: ["search", "think", "switch_mode", "other"],
  present(observation) {
    const title = toSubject(stringField(observation.input, "title", "description", "path") ?? "") || observation.toolName;
    const ending = observation.state === "completed" && !hasSucceeded(observation) ? endings.failed : endings[observation.state];
    return { summary: `${observation.toolName === "search" ? "Search: " : ""}${title}${ending}` };
  },
};

export const fetchProcessor: ToolProcessor = {
  toolNames: ["fetch"],
  present(observation) {
    const url = stringField(observation.input, "url", "title");
    return webFetchProcessor.present({ ...observation, input: url === undefined ? {} : { url } });
  },
};

/** What Gemini CLI keeps for later sessions. */
export const saveMemoryProcessor: ToolProcessor = {
  toolNames: ["save_memory"],
  present(observation) {
    const fact = toSubject(stringField(observation.input, "fact") ?? "a fact");
    if (observation.state === "running") return { summary: `Remembering ${fact}` };
    return { summary: hasSucceeded(observation) ? `Remembered ${fact}` : `Could not remember ${fact}` };
  },
};
