import { stringField } from "./json-fields.ts";
import type { SummaryDraft, ToolObservation, ToolProcessor } from "./tool-processor.ts";
import { webFetchProcessor } from "./web-processors.ts";

/** Calls of ACP agents that report only the kind of the tool: all that is known is their title, which is written for users. */
export const titledProcessor: ToolProcessor = {
  toolNames: ["think", "switch_mode", "other"],
  present: (observation) => ({ summary: toTitledSummary(observation) ?? { action: toUntitledAction(observation) } }),
};

/** The agent's title for the call; undefined if it has no information. */
export function toTitledSummary({ toolName, input }: ToolObservation): SummaryDraft | undefined {
  const title = stringField(input, "title", "description", "path") ?? "";
  if (!isTelling(title)) return undefined;
  // a single word is the tool's name, not a title
  return { action: toolName === "other" && /^[a-z][\w.-]*$/.test(title) ? "call" : "titled", subject: title };
}

/** Agents without a better title send none, or the working folder. */
function isTelling(title: string): boolean {
  return !/^\s*\.?\/?\s*$/.test(title);
}

function toUntitledAction({ toolName }: ToolObservation): "think" | "switch-mode" | "call" {
  if (toolName === "think") return "think";
  return toolName === "switch_mode" ? "switch-mode" : "call";
}

/** The title is the search text, with or without quotes, or a sentence that contains it. */
export const titledSearchProcessor: ToolProcessor = {
  toolNames: ["search"],
  present(observation) {
    const title = stringField(observation.input, "title", "description", "path") ?? "";
    if (/^(?:search|find|grep|glob|list|look)(?:e[sd]|ing|s)?\b/i.test(title)) return { summary: { action: "titled", subject: title } };
    const [, quoted] = /^(['"`])(?!\1)(.+)\1$/s.exec(title)?.slice(1) ?? [];
    return { summary: { action: "search", subject: isTelling(title) ? (quoted ?? title) : undefined } };
  },
};

/** Calls of the ACP kind `fetch`: an address, or a title. */
export const fetchProcessor: ToolProcessor = {
  toolNames: ["fetch"],
  present(observation) {
    const url = stringField(observation.input, "url", "title");
    return webFetchProcessor.present({ ...observation, input: url === undefined ? {} : { url } });
  },
};
