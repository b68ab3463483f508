import { useQuery } from "@tanstack/react-query";
import { heldQuery } from "../api/held-api.ts";
import { approvalsQuery, inboxQuery } from "../api/queries.ts";

/** How many things need the user, in all projects: agents that wait, and work to review. */
export function useNeedsYou(): { waiting: number; toReview: number; count: number } {
  const { data: waiting = 0 } = useQuery({ ...approvalsQuery, select: (approvals) => approvals.length });
  const { data: toReview = 0 } = useQuery({ ...inboxQuery, select: (items) => items.length });
  const { data: held = 0 } = useQuery({ ...heldQuery, select: (list) => list.length });
  return { waiting, toReview, count: waiting + toReview + held };
}
