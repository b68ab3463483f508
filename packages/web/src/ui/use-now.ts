import { useEffect, useState } from "react";

/** The time, read again every `everyMs` while `active`; a page full of idle cards keeps no timer. */
export function useNow(everyMs: number, active = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, active]);
  return now;
}
