import { conversationPageSchema, taskSchema } from "@skein/contracts";
import type { ApiClient } from "../client/api-client.ts";

const most = 100;

/** How many executions run now. An execution's task is in progress, so the others need not be asked. */
export async function countRunningExecutions(client: ApiClient): Promise<number> {
  const tasks = await client.get("/api/tasks?status=in-progress", taskSchema.array());
  const pages = await Promise.all(
    tasks.slice(0, most).map(({ id }) => client.get(`/api/tasks/${id}/conversation?limit=1`, conversationPageSchema)),
  );
  return pages.filter(({ isExecuting }) => isExecuting).length;
}
