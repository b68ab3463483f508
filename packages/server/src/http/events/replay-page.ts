import type { SequencedEvent, TaskId } from "@skein/contracts";
import type { Services } from "../../services/services.ts";

/** Few enough that others are served soon: reading them is one piece of work. */
const pageSize = 100;

export function replayPage(
  services: Pick<Services, "events">,
  query: { after: number; taskId: TaskId | undefined },
): Promise<SequencedEvent[]> {
  const { after, taskId } = query;
  return services.events.list({ after, limit: pageSize, ...(taskId === undefined ? {} : { taskId }) });
}
