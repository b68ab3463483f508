import type { NodeId } from "@skein/contracts";
import type { Storage } from "@skein/engine";

/** Whether a project or attempt is on the machine of another server. */
export function isElsewhere({ nodes }: Pick<Storage, "nodes">, { nodeId }: { nodeId?: NodeId }): boolean {
  return nodes !== undefined && nodeId !== undefined && nodeId !== nodes.id;
}
