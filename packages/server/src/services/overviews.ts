import type { AttemptId, ListedTask, MergeMode, ProjectId, SentOverview, TaskId, TaskOverview } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import { listAttemptSummaries } from "./attempts.ts";
import { readConversationPage } from "./conversation.ts";
import type { ServiceContext } from "./service-context.ts";
import type { OverviewService } from "./task-services.ts";
import { readListedTasks, readTaskSummary } from "./tasks.ts";

/** Reads what a client shows first: everything in one snapshot of the database. */
export function createOverviewService({ storage, supervisor }: ServiceContext): OverviewService {
  return {
    start: (query) => storage.snapshot((reader) => readOverview(reader, query, { supervisor })),
    task: (query) => storage.snapshot((reader) => readTaskOverview(reader, query, { supervisor })),
  };
}

type Context = Pick<ServiceContext, "supervisor">;
type ConversationPart = { mergeMode: MergeMode; messages: number };

async function readOverview(
  reader: StorageReader,
  { tasks: limit, taskId, attemptId, projectIds, ...query }: Parameters<OverviewService["start"]>[0],
  context: Context,
): Promise<SentOverview> {
  const projects = (await reader.listProjects()).filter(({ id }) => projectIds?.includes(id) ?? true);
  const task = await findTaskOverview(reader, { ...query, taskId, attemptId }, context);
  const wanted: ProjectId | undefined = task?.task.projectId ?? query.projectId;
  const project = projects.find(({ id }) => id === wanted) ?? projects[0];
  return {
    lastSeq: await reader.getLastSeq(),
    projects,
    approvals: await reader.listApprovals({ status: "pending" }),
    inbox: await reader.listInboxItems(),
    board:
      project === undefined ? null : { projectId: project.id, tasks: await readBoard(reader, { projectId: project.id, limit }, context) },
    task,
  };
}

async function readBoard(reader: StorageReader, { projectId, limit }: { projectId: ProjectId; limit: number }, context: Context) {
  const tasks: ListedTask[] = [];
  const query = { projectId, archived: false, descriptions: "short", activity: "short", limit } as const;
  for await (const slice of readListedTasks(reader, query, context)) tasks.push(...slice);
  return tasks;
}

/** Null for a task or an attempt that does not exist: the client finds out when it asks for it by itself. */
async function findTaskOverview(
  reader: StorageReader,
  { taskId, attemptId, ...part }: { taskId: TaskId | undefined; attemptId: AttemptId | undefined } & ConversationPart,
  context: Context,
): Promise<TaskOverview | null> {
  const task = taskId === undefined ? undefined : await reader.findTask({ id: taskId });
  if (task === undefined) return null;
  const attempt = attemptId === undefined ? undefined : await reader.findAttempt({ id: attemptId });
  const isOfTask = attempt?.taskId === task.id;
  return readTaskOverview(reader, { taskId: task.id, ...(isOfTask ? { attemptId: attempt.id } : {}), ...part }, context);
}

async function readTaskOverview(
  reader: StorageReader,
  { taskId, attemptId, mergeMode, messages: limit }: Parameters<OverviewService["task"]>[0],
  context: Context,
): Promise<TaskOverview> {
  const task = await readTaskSummary(reader, taskId, context);
  const conversation = await readConversationPage(
    reader,
    { taskId, ...(attemptId === undefined ? {} : { attemptId }), mergeMode, limit },
    context,
  );
  return {
    task,
    attempts: await listAttemptSummaries(reader, taskId),
    conversation,
    executions: conversation.attemptId === null ? [] : await reader.listExecutions({ attemptId: conversation.attemptId }),
  };
}
