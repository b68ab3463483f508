import { useEffect, useState } from "react";

/** Whether `value` has been true without interruption for this long. */
export function useSettled(value: boolean, forMs: number): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    if (!value) return;
    const timer = setTimeout(() => setSettled(true), forMs);
    return () => {
      clearTimeout(timer);
      setSettled(false);
    };
  }, [value, forMs]);
  return value && settled;
}
