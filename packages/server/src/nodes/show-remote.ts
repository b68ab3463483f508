import type { ConversationMessage } from "@skein/contracts";
import type { ExecutionSupervisor } from "../executions/execution-supervisor.ts";
import type { LiveRelay } from "./live-relay.ts";

/** Clients also get what agents of other servers show before it is committed. */
export function showRemote(supervisor: ExecutionSupervisor, relay: LiveRelay): ExecutionSupervisor {
  return {
    ...supervisor,
    liveMessages: (attemptId) => newest([...supervisor.liveMessages(attemptId), ...relay.messages(attemptId)]),
    liveDeliveries: (query) => [...supervisor.liveDeliveries(query), ...relay.deliveries(query)],
  };
}

/** An execution that this server continues may have been shown by the one before. */
function newest(messages: readonly ConversationMessage[]): ConversationMessage[] {
  const byId = new Map<string, ConversationMessage>();
  for (const message of messages) {
    const known = byId.get(message.id);
    if (known === undefined || known.revision < message.revision) byId.set(message.id, message);
  }
  return [...byId.values()];
}
