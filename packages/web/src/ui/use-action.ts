import { useState } from "react";
import { findCommand } from "../api/api-error.ts";
import { useErrorText } from "./error-text.tsx";
import type { Failure } from "./failure-text.tsx";

export interface Action {
  busy: boolean;
  /** Why the last run failed; null while it runs and after it succeeded. */
  error: string | null;
  /** The same with the command that removes the cause, if there is one. */
  failure: Failure | null;
  /** Never rejects: a failure is in `error`. */
  run(action: () => Promise<unknown>): Promise<void>;
}

/** The state of a button's action: whether it is running, and why it failed. */
export function useAction(): Action {
  const describe = useErrorText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(null);
    try {
      await action();
    } catch (error) {
      setFailure({ text: describe(error), command: findCommand(error) });
    } finally {
      setBusy(false);
    }
  };
  return { busy, error: failure?.text ?? null, failure, run };
}
