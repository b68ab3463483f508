import { bashProcessor } from "./bash-processor.ts";
import { presentUnknownTool } from "./default-processor.ts";
import { editProcessor } from "./edit-processor.ts";
import { globProcessor, listProcessor } from "./file-list-processors.ts";
import { grepProcessor } from "./grep-processor.ts";
import { readProcessor } from "./read-processor.ts";
import { todoProcessor } from "./todo-processor.ts";
import type { ToolObservation, ToolPresentation, ToolProcessor } from "./tool-processor.ts";
import { writeProcessor } from "./write-processor.ts";

export type PresentTool = (observation: ToolObservation) => ToolPresentation;

/** Later processors win over earlier ones of the same name. */
export function createToolRegistry(processors: readonly ToolProcessor[]): PresentTool {
  const byName = new Map(processors.flatMap((processor) => processor.toolNames.map((name) => [name, processor] as const)));
  return (observation) => byName.get(observation.toolName)?.present(observation) ?? presentUnknownTool(observation);
}

export const shippedToolProcessors: readonly ToolProcessor[] = [
  readProcessor,
  writeProcessor,
  editProcessor,
  bashProcessor,
  globProcessor,
  grepProcessor,
  listProcessor,
  todoProcessor,
];

export const presentTool: PresentTool = createToolRegistry(shippedToolProcessors);
