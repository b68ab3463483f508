import { shippedToolProcessors } from "./shipped-tool-processors.ts";
import { toPresented } from "./summaries.ts";
import type { PresentedTool, ToolObservation, ToolProcessor } from "./tool-processor.ts";

/** Returns summary and details of a tool execution. */
export type PresentTool = (observation: ToolObservation) => PresentedTool;

/**
 * Creates a registry. A listed name takes precedence over a matched one; later processors take precedence over earlier ones. A processor
 * that throws is skipped: the next that handles the tool is called, finally the generic presentation. Never throws.
 */
export function createToolRegistry(processors: readonly ToolProcessor[]): PresentTool {
  const latestFirst = [...processors].reverse();
  const byName = new Map<string, ToolProcessor[]>();
  for (const processor of latestFirst) {
    for (const name of processor.toolNames) byName.set(name, [...(byName.get(name) ?? []), processor]);
  }
  const recognising = latestFirst.filter((processor) => processor.recognises !== undefined);
  return (observation) => {
    for (const processor of byName.get(observation.toolName) ?? []) {
      const presented = tryToPresent(processor, observation);
      if (presented !== undefined) return presented;
    }
    for (const processor of recognising) {
      const presented = tryToPresent(processor, observation, { recognisedOnly: true });
      if (presented !== undefined) return presented;
    }
    return toPresented({ summary: { action: "call", subject: observation.toolName } }, observation);
  };
}

function tryToPresent(
  processor: ToolProcessor,
  observation: ToolObservation,
  { recognisedOnly = false }: { recognisedOnly?: boolean } = {},
): PresentedTool | undefined {
  try {
    if (recognisedOnly && !processor.recognises?.(observation.toolName)) return undefined;
    return toPresented(processor.present(observation), observation);
  } catch {
    return undefined;
  }
}

/** Presents a tool with the built-in processors. */
export const presentTool: PresentTool = createToolRegistry(shippedToolProcessors);
