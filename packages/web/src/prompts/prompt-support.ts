import type { AgentId, AgentInfo, SystemPromptSupport } from "@skein/contracts";
import type { Formats } from "../i18n/format.ts";

const order: readonly SystemPromptSupport[] = ["next-message", "new-session-if-offered", "none"];

/** Sentences about the agents that take a system prompt, and from when on; about one agent where `only` names it. */
export function describePromptSupport(
  agents: readonly AgentInfo[],
  texts: Readonly<Record<SystemPromptSupport, (agents: string) => string>>,
  { list }: Pick<Formats, "list">,
  only?: AgentId,
): string[] {
  const named = agents.filter(({ id, available }) => (only === undefined ? available : id === only));
  return order.flatMap((support) => {
    const names = named.filter(({ systemPromptSupport = "none" }) => systemPromptSupport === support).map(({ name }) => name);
    return names.length === 0 ? [] : [texts[support](list(names))];
  });
}
