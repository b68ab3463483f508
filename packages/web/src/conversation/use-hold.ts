import { useEffect, useState } from "react";

const holdMs = 300;

/** What a person folds out must not slide away under the pointer: for a moment the list keeps its beginning in place, not its end. */
export function useHold(): { held: boolean; hold(): void } {
  const [until, setUntil] = useState(0);
  useEffect(() => {
    if (until === 0) return;
    const timer = setTimeout(() => setUntil(0), holdMs);
    return () => clearTimeout(timer);
  }, [until]);
  return { held: until > 0, hold: () => setUntil(Date.now() + holdMs) };
}
