import { nodeIdSchema, type StoredHost } from "@skein/contracts";
import { type ConnectedHost, connectHost, openWebSocket } from "@skein/host";
import type { NodeMembership } from "../nodes/join-nodes.ts";
import { nodeHeader } from "../nodes/node-header.ts";
import { toSharedLinkPath } from "./shared-link-path.ts";

/** Connects to a worker that is connected to another server, over that server; undefined if there is none, or it is not alive. */
export async function openSharedLink(
  { id, connectedNodeId }: StoredHost,
  input: { membership: NodeMembership; secret: string; timeoutMs: number },
): Promise<ConnectedHost | undefined> {
  const { membership } = input;
  const other = nodeIdSchema.safeParse(connectedNodeId);
  const holder = other.success && other.data !== membership.id ? await membership.findAlive(other.data) : undefined;
  if (holder === undefined) return undefined;
  const url = new URL(toSharedLinkPath(id), holder.internalUrl.replace(/^http/, "ws")).href;
  const channel = await openWebSocket({ url, headers: { [nodeHeader]: input.secret }, timeoutMs: input.timeoutMs });
  return connectHost({ channel });
}
