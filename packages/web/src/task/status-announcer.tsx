import { useEffect, useRef, useState } from "react";
import { useTaskText } from "../i18n/task-text.ts";

/** Announces when the agent starts, waits and ends, but not its output. */
export function StatusAnnouncer({ isExecuting, approvals }: { isExecuting: boolean; approvals: number }) {
  const text = useTaskText();
  const [said, setSaid] = useState("");
  const was = useRef(isExecuting);
  useEffect(() => {
    if (approvals > 0) setSaid(text.conversation.statusWaiting);
    else if (isExecuting) setSaid(text.conversation.statusRunning);
    else if (was.current) setSaid(text.conversation.statusDone);
    was.current = isExecuting;
  }, [isExecuting, approvals, text]);
  return (
    <p className="sr-only" role="status">
      {said}
    </p>
  );
}
