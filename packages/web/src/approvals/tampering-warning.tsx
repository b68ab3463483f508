import type { Approval } from "@skein/contracts";
import { useTaskText } from "../i18n/task-text.ts";
import { Icon } from "../ui/icon.tsx";

/** Warns about an approval that was answered by someone else, with what to do. Draws nothing for others. */
export function TamperingWarning({ approval: { tampering } }: { approval: Approval }) {
  const text = useTaskText();
  if (!tampering) return null;
  return (
    <p className="flex items-start gap-2 rounded-lg border border-bad/50 bg-bad-wash px-3 py-2 font-medium text-bad text-sm" role="alert">
      <Icon className="mt-0.5" name="warning" size={15} />
      <span className="min-w-0">{text.approval.tampered[tampering.kind]}</span>
    </p>
  );
}
