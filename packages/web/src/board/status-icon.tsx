import type { TaskStatus } from "@skein/contracts";

const colors: Record<TaskStatus, string> = {
  todo: "text-ink-faint",
  "in-progress": "text-warn",
  "in-review": "text-accent",
  done: "text-good",
  cancelled: "text-ink-faint",
};

/** A circle that fills as the task advances: the status is clear from its shape alone. */
export function StatusIcon({ status, size = 16 }: { status: TaskStatus; size?: number }) {
  return (
    <svg aria-hidden="true" className={`shrink-0 ${colors[status]}`} fill="none" height={size} viewBox="0 0 16 16" width={size}>
      <circle cx="8" cy="8" r="5.75" stroke="currentColor" strokeDasharray={status === "todo" ? "2.2 2.3" : undefined} strokeWidth="1.5" />
      {status === "in-progress" && <path d="M8 4.5a3.5 3.5 0 010 7z" fill="currentColor" />}
      {status === "in-review" && <path d="M8 4.5A3.5 3.5 0 114.5 8H8z" fill="currentColor" />}
      {status === "done" && (
        <>
          <circle cx="8" cy="8" fill="currentColor" r="6.2" />
          <path d="M5.3 8.3l1.9 1.9 3.6-4" stroke="var(--canvas)" strokeLinecap="round" strokeLinejoin="round" strokeWidth="1.5" />
        </>
      )}
      {status === "cancelled" && <path d="M6 6l4 4M10 6l-4 4" stroke="currentColor" strokeLinecap="round" strokeWidth="1.5" />}
    </svg>
  );
}
