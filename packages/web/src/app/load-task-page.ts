import type { TaskId } from "@skein/contracts";

/** The page of a task is what one opens from a board: its code is fetched before it is needed. */
export const loadTaskPage = () => import("../task/task-page.tsx");

/** The conversation is requested as soon as the code is there: before the page is drawn, or on hover. */
export async function preopenConversation(taskId: TaskId): Promise<void> {
  const page = await loadTaskPage().catch(() => undefined);
  page?.preopenConversation(taskId);
}

/** When the browser has nothing else to do. A failure is no matter: the page is asked for again when it is opened. */
export function preloadTaskPage(): () => void {
  const load = () => void Promise.all([loadTaskPage(), import("../markdown/markdown-block.tsx")]).catch(() => {});
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(load, 1000);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(load, { timeout: 3000 });
  return () => cancelIdleCallback(request);
}
