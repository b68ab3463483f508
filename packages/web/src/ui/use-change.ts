import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { showToast } from "./toast.ts";
import { type Action, useAction } from "./use-action.ts";

/** A change of what queries show: it runs, a toast reports it, and the queries are loaded again. */
export function useChange(...queries: readonly { queryKey: QueryKey }[]): Pick<Action, "busy" | "error"> & {
  change(action: () => Promise<unknown>, toast: string): Promise<void>;
} {
  const client = useQueryClient();
  const { busy, error, run } = useAction();
  const change = (action: () => Promise<unknown>, toast: string) =>
    run(async () => {
      await action();
      showToast({ text: toast, tone: "plain" });
      await Promise.all(queries.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
    });
  return { busy, error, change };
}
