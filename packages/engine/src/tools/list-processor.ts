import { readFoundFiles } from "./found-files.ts";
import { stringField } from "./json-fields.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

/** Lists a folder. */
export const listProcessor: ToolProcessor = {
  toolNames: ["list", "LS"],
  present(observation) {
    // Over ACP, Gemini CLI sends the folder as title.
    const folder = stringField(observation.input, "path", "title") ?? "";
    const summary = { action: "list", subject: /^\.?\/?$/.test(folder) && folder !== "/" ? undefined : folder } as const;
    const found = hasSucceeded(observation) ? readFoundFiles(observation) : undefined;
    return found === undefined ? { summary } : { summary, details: { type: "fileList", data: found.files } };
  },
};
