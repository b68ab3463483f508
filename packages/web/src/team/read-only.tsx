import { useText } from "../i18n/locale.tsx";
import { Icon } from "../ui/icon.tsx";

/** Where a control would be that a viewer may not use. */
export function ReadOnlyNote({ className = "" }: { className?: string }) {
  const { readOnly } = useText().team;
  return (
    <p className={`flex items-start gap-2 text-ink-soft text-sm ${className}`} data-read-only="">
      <Icon className="mt-0.5 text-ink-faint" name="shield" size={14} />
      <span className="min-w-0">{readOnly}</span>
    </p>
  );
}
