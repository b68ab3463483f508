import type { ToolDefinition } from "@skein/engine";

/** Two tools of one name are refused by every provider: the first counts. */
export function uniqueTools(tools: readonly ToolDefinition[]): ToolDefinition[] {
  const names = new Set<string>();
  return tools.filter(({ name }) => !names.has(name) && names.add(name));
}
