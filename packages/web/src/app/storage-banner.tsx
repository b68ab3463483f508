import { useText } from "../i18n/locale.tsx";
import { storageFault } from "../live/live.ts";
import { useStore } from "../state/external-store.ts";
import { Icon } from "../ui/icon.tsx";

/** On every page, for as long as the server can store nothing. The region is always there, so that a change is announced. */
export function StorageBanner() {
  const text = useText();
  const fault = useStore(storageFault);
  return (
    <div role="alert">
      {fault !== null && (
        <p className="flex items-start gap-2 border-line border-b bg-bad-wash px-3 py-1.5 text-bad text-sm">
          <Icon className="mt-[3px] shrink-0" name="warning" size={14} />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <strong className="font-semibold">{text.faults.title}</strong> {text.faults.causes[fault] ?? text.faults.causes.other}{" "}
            {text.faults.meanwhile}
          </span>
        </p>
      )}
    </div>
  );
}
