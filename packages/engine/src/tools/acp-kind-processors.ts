import { stringField } from "./json-fields.ts";
import { toEnding, toSubject } from "./summaries.ts";
import type { ToolProcessor } from "./tool-processor.ts";
import { webFetchProcessor } from "./web-processors.ts";

/** Calls of ACP agents that tell only what kind of tool it is: their title is all that is known, and it is written for people. */
export const titledProcessor: ToolProcessor = {
  toolNames: ["search", "think", "switch_mode", "other"],
  present(observation) {
    const title = toSubject(stringField(observation.input, "title", "description", "path") ?? "") || observation.toolName;
    return { summary: `${observation.toolName === "search" ? "Search: " : ""}${title}${toEnding(observation)}` };
  },
};

export const fetchProcessor: ToolProcessor = {
  toolNames: ["fetch"],
  present(observation) {
    const url = stringField(observation.input, "url", "title");
    return webFetchProcessor.present({ ...observation, input: url === undefined ? {} : { url } });
  },
};
