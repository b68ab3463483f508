import type { ToolDefinition } from "@skein/engine";
import type { NativeTool } from "../tools/tool.ts";

export interface ToolDefinitions {
  list: readonly ToolDefinition[];
  /** For token counting: providers charge for them with every request. */
  text: string;
}

const known = new WeakMap<ReadonlyMap<string, NativeTool>, ToolDefinitions>();

/** As in every request. The tools of a turn are complete before its first request. */
export function toToolDefinitions(tools: ReadonlyMap<string, NativeTool>): ToolDefinitions {
  const found = known.get(tools);
  if (found !== undefined) return found;
  const list = [...tools.values()].map((tool) => tool.definition);
  const definitions = { list, text: JSON.stringify(list) };
  known.set(tools, definitions);
  return definitions;
}
