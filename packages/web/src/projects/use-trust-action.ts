import type { ProjectId } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { trustChangesQuery } from "../api/trust-api.ts";
import { type Action, useAction } from "../ui/use-action.ts";

/** Trusts something of a repository, or revokes it. Then loads again what is shown, under `queryKey`. */
export function useTrustAction(projectId: ProjectId, queryKey: readonly unknown[]): Action {
  const client = useQueryClient();
  const action = useAction();
  const reload = () =>
    Promise.all([queryKey, trustChangesQuery(projectId).queryKey].map((key) => client.invalidateQueries({ queryKey: key })));
  return {
    ...action,
    // also after a failure: its cause may be that what is shown is out of date
    run: (trust) => action.run(() => trust().finally(reload)),
  };
}
