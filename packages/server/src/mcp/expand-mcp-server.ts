import type { McpProblem, McpServerDefinition } from "@skein/contracts";

export type ExpandedMcpServer = { ok: true; definition: McpServerDefinition } | { ok: false; problem: McpProblem };

/**
 * Replaces `${NAME}` and `${NAME:-otherwise}`. Servers of a repository get allow-listed variables only: one that asks for
 * `${ANTHROPIC_API_KEY}` must not get it.
 */
export function expandMcpServer(definition: McpServerDefinition, environment: Readonly<Record<string, string>>): ExpandedMcpServer {
  const missing = new Set<string>();
  const expand = (text: string): string =>
    text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, otherwise: string | undefined) => {
      const value = Object.hasOwn(environment, name) ? environment[name] : otherwise;
      if (value === undefined) missing.add(name);
      return value ?? "";
    });
  const expandAll = (variables: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, expand(value)]));
  const expanded: McpServerDefinition =
    definition.type === "stdio"
      ? { ...definition, command: expand(definition.command), args: definition.args.map(expand), env: expandAll(definition.env) }
      : { ...definition, url: expand(definition.url), headers: expandAll(definition.headers) };
  if (missing.size > 0) {
    return { ok: false, problem: { code: "mcp-variables-missing", server: definition.name, variables: [...missing] } };
  }
  if (expanded.type === "http" && !isWebAddress(expanded.url)) {
    return { ok: false, problem: { code: "mcp-url-invalid", server: definition.name } };
  }
  return { ok: true, definition: expanded };
}

function isWebAddress(text: string): boolean {
  return ["http:", "https:"].includes(URL.parse(text)?.protocol ?? "");
}
