import { fetchProcessor, titledProcessor, titledSearchProcessor } from "./acp-kind-processors.ts";
import { commandOutputProcessor, listCommandsProcessor, stopCommandProcessor } from "./background-command-processors.ts";
import { bashProcessor } from "./bash-processor.ts";
import { editProcessor } from "./edit-processor.ts";
import { fileChangeProcessor } from "./file-change-processor.ts";
import { globProcessor } from "./glob-processor.ts";
import { grepProcessor } from "./grep-processor.ts";
import { listProcessor } from "./list-processor.ts";
import { mcpProcessor } from "./mcp-processor.ts";
import { notebookEditProcessor } from "./notebook-edit-processor.ts";
import { planProcessor } from "./plan-processor.ts";
import { planUpdateProcessor } from "./plan-update-processor.ts";
import { questionProcessor } from "./question-processor.ts";
import { readProcessor } from "./read-processor.ts";
import { renamedProcessors } from "./renamed-processors.ts";
import { saveMemoryProcessor } from "./save-memory-processor.ts";
import { setupProcessor } from "./setup-processor.ts";
import { shellProcessor } from "./shell-processor.ts";
import { skillProcessor } from "./skill-processor.ts";
import { subagentProcessor } from "./subagent-processor.ts";
import { taskCreateProcessor, taskListProcessor, taskUpdateProcessor } from "./task-list-processors.ts";
import { todoProcessor } from "./todo-processor.ts";
import type { ToolProcessor } from "./tool-processor.ts";
import { webFetchProcessor, webSearchProcessor } from "./web-processors.ts";
import { writeProcessor } from "./write-processor.ts";

/** One module per kind of tool; a new one is added here. */
export const shippedToolProcessors: readonly ToolProcessor[] = [
  readProcessor,
  writeProcessor,
  editProcessor,
  notebookEditProcessor,
  bashProcessor,
  commandOutputProcessor,
  stopCommandProcessor,
  listCommandsProcessor,
  globProcessor,
  grepProcessor,
  listProcessor,
  todoProcessor,
  taskListProcessor,
  taskCreateProcessor,
  taskUpdateProcessor,
  webFetchProcessor,
  webSearchProcessor,
  subagentProcessor,
  planProcessor,
  questionProcessor,
  mcpProcessor,
  shellProcessor,
  fileChangeProcessor,
  planUpdateProcessor,
  titledProcessor,
  titledSearchProcessor,
  fetchProcessor,
  saveMemoryProcessor,
  setupProcessor,
  skillProcessor,
  ...renamedProcessors,
];

/** Whether Skein has its own processor for tools of that name. */
export function isShippedToolName(name: string): boolean {
  return shippedToolProcessors.some(({ toolNames }) => toolNames.includes(name));
}
