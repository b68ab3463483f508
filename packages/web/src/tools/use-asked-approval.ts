import type { Approval } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { approvalsQuery } from "../api/queries.ts";
import type { ToolCardMessage } from "./tool-card-view.ts";

/** The pending approval of a call that the agent has begun. Undefined if there is none. */
export function useAskedApproval({ messageType, metadata }: ToolCardMessage): Approval | undefined {
  const enabled = messageType === "tool_execution" && metadata.state === "running";
  const { data } = useQuery({
    ...approvalsQuery,
    enabled,
    select: (approvals) =>
      approvals.find(
        ({ toolUseId, executionId, tampering }) =>
          toolUseId === metadata.toolUseId && executionId === metadata.executionId && tampering?.kind !== "ran-unanswered",
      ),
  });
  return enabled ? data : undefined;
}
