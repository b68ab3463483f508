import type { TaskPriority } from "@skein/contracts";

const bars: Record<TaskPriority, number> = { none: 0, low: 1, medium: 2, high: 3, urgent: 3 };

export function PriorityIcon({ priority }: { priority: TaskPriority }) {
  const filled = bars[priority];
  return (
    <svg
      aria-hidden="true"
      className={`shrink-0 ${priority === "urgent" ? "text-bad" : "text-ink-soft"}`}
      height="12"
      viewBox="0 0 12 12"
      width="12"
    >
      {[0, 1, 2].map((bar) => (
        <rect
          fill="currentColor"
          height={4 + bar * 3}
          key={bar}
          opacity={bar < filled ? 1 : 0.25}
          rx="0.8"
          width="2.6"
          x={bar * 4}
          y={8 - bar * 3}
        />
      ))}
    </svg>
  );
}
