import { presentUnknownTool } from "./default-processor.ts";
import { shippedToolProcessors } from "./shipped-tool-processors.ts";
import type { ToolObservation, ToolPresentation, ToolProcessor } from "./tool-processor.ts";

export type PresentTool = (observation: ToolObservation) => ToolPresentation;

/** A name that a processor lists goes before one that it recognises; later processors win over earlier ones. */
export function createToolRegistry(processors: readonly ToolProcessor[]): PresentTool {
  const byName = new Map(processors.flatMap((processor) => processor.toolNames.map((name) => [name, processor] as const)));
  const recognising = processors.filter((processor) => processor.recognises !== undefined).reverse();
  return (observation) => {
    const { toolName } = observation;
    const processor = byName.get(toolName) ?? recognising.find((candidate) => candidate.recognises?.(toolName));
    return processor?.present(observation) ?? presentUnknownTool(observation);
  };
}

export const presentTool: PresentTool = createToolRegistry(shippedToolProcessors);
