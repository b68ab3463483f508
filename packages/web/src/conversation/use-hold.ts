import { useEffect, useState } from "react";

const holdMs = 300;

/** What the user opens must not move away from the pointer: for a moment the list keeps its start in place instead of its end. */
export function useHold(): { held: boolean; hold(): void } {
  const [until, setUntil] = useState(0);
  useEffect(() => {
    if (until === 0) return;
    const timer = setTimeout(() => setUntil(0), holdMs);
    return () => clearTimeout(timer);
  }, [until]);
  return { held: until > 0, hold: () => setUntil(Date.now() + holdMs) };
}
