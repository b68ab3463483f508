import type { SequencedEvent, TaskId } from "@skein/contracts";
import type { Services } from "../../services/services.ts";

/** Small, because reading a page blocks other requests. */
const pageSize = 100;

export function replayPage(
  services: Pick<Services, "events">,
  query: { after: number; taskId: TaskId | undefined },
): Promise<SequencedEvent[]> {
  const { after, taskId } = query;
  return services.events.list({ after, limit: pageSize, ...(taskId === undefined ? {} : { taskId }) });
}
