import type { ToolDefinition } from "@skein/engine";

/** Every provider rejects two tools with the same name: the first is kept. */
export function uniqueTools(tools: readonly ToolDefinition[]): ToolDefinition[] {
  const names = new Set<string>();
  return tools.filter(({ name }) => !names.has(name) && names.add(name));
}
