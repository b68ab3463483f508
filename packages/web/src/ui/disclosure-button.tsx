import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/** Points down while what it belongs to is open. */
export function Chevron({ open, className = "" }: { open: boolean; className?: string }) {
  return <Icon className={`text-ink-faint transition-transform ${open ? "rotate-90" : ""} ${className}`} name="chevronRight" size={12} />;
}

export interface DisclosureButtonProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** The id of what it opens. */
  controls?: string;
  className: string;
  children: ReactNode;
}

/** A line that opens and closes what is below it. */
export function DisclosureButton({ open, onOpenChange, controls, className, children }: DisclosureButtonProps) {
  return (
    <button
      aria-controls={controls}
      aria-expanded={open}
      className={`flex items-center text-start hover:bg-hover ${className}`}
      onClick={() => onOpenChange(!open)}
      type="button"
    >
      <Chevron open={open} />
      {children}
    </button>
  );
}
