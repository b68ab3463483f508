import type { ApprovalId } from "@skein/contracts";
import { type ReactNode, useId } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";

const tones = {
  warn: { header: "bg-warn-wash text-warn", active: "border-warn", quiet: "border-warn/50" },
  accent: { header: "bg-accent-wash text-accent", active: "border-accent", quiet: "border-accent/50" },
};

export interface ApprovalFrameProps {
  id: ApprovalId;
  tone: keyof typeof tones;
  icon: IconName;
  title: string;
  /** At the end of the title's line. */
  aside?: ReactNode;
  /** It is the one that the keys answer. */
  active: boolean;
  /** Whether it accepts an answer by key now; absent for a card without keys. */
  takesKeys?: boolean;
  children: ReactNode;
}

/** The frame of everything that waits for an answer. */
export function ApprovalFrame({ id, tone, icon, title, aside, active, takesKeys = false, children }: ApprovalFrameProps) {
  const titleId = useId();
  const { header, active: activeBorder, quiet } = tones[tone];
  return (
    <section
      aria-labelledby={titleId}
      className={`my-3 overflow-hidden rounded-xl border bg-raised ${active ? activeBorder : quiet}`}
      data-approval-id={id}
      data-takes-keys={takesKeys || undefined}
    >
      <div className={`flex items-center gap-2 px-3 py-2 ${header}`}>
        <Icon name={icon} />
        <h2 className="min-w-0 font-medium text-sm [overflow-wrap:anywhere]" id={titleId}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
