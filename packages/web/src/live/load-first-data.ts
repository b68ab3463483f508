import { loadOverview } from "../api/early-overview.ts";
import { firstConversation } from "./first-conversation.ts";
import { queryClient } from "./live.ts";
import { seedOverview } from "./seed-caches.ts";

/** Loads what the page shows first. Returns the number of the last event that it contains; the stream continues there. */
export async function loadFirstData(): Promise<number | undefined> {
  const overview = await loadOverview();
  if (!overview) return undefined;
  seedOverview(queryClient, overview);
  if (overview.task) firstConversation.put(overview.task.task.id, overview.task.conversation);
  return overview.lastSeq;
}
