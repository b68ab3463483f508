import type { Attempt, AttemptId, TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { attemptsQuery, executionsQuery } from "../api/queries.ts";
import { findLastRewind } from "../conversation/find-last-rewind.ts";
import { rewindRequest } from "../conversation/rewind-request.ts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { useStore } from "../state/external-store.ts";
import { lazyComponent } from "../ui/lazy-component.ts";

const RewindAction = lazyComponent(() => import("./rewind-action.tsx"), "RewindAction").Component;

/** Carries out the steps back that were asked for in a conversation. */
export function RewindHost({ taskId, conversation }: { taskId: TaskId; conversation: TaskConversation }) {
  const request = useStore(rewindRequest);
  if (request === null || conversation.attemptId === null) return null;
  return <Host attemptId={conversation.attemptId} conversation={conversation} request={request} taskId={taskId} />;
}

interface HostProps {
  taskId: TaskId;
  attemptId: AttemptId;
  conversation: TaskConversation;
  request: NonNullable<ReturnType<typeof rewindRequest.get>>;
}

function Host({ taskId, attemptId, conversation, request }: HostProps) {
  const { data: executions } = useQuery(executionsQuery(attemptId));
  const { data: attempts } = useQuery(attemptsQuery(taskId));
  const attempt: Attempt | undefined = attempts?.find(({ id }) => id === attemptId);
  if (!attempt || !executions) return null;
  const known = request.kind === "last" ? findLastRewind(request.action, { executions, messages: conversation.messages }) : request;
  return (
    <Suspense>
      <RewindAction attempt={attempt} onClose={() => rewindRequest.set(null)} request={known} />
    </Suspense>
  );
}
