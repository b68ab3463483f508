import { useState } from "react";
import { useErrorText } from "./error-text.tsx";

export interface Action {
  busy: boolean;
  /** Why the last run failed; null while it runs and after it succeeded. */
  error: string | null;
  /** Never rejects: a failure is in `error`. */
  run(action: () => Promise<unknown>): Promise<void>;
}

/** The state of something that a button does: whether it is under way, and why it failed. */
export function useAction(): Action {
  const describe = useErrorText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await action();
    } catch (failure) {
      setError(describe(failure));
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run };
}
