import { useText } from "../i18n/locale.tsx";
import { unreadableEvent } from "../live/live.ts";
import { useStore } from "../state/external-store.ts";
import { Button } from "../ui/button.tsx";
import { useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";

/** Shown once an event could not be read: what is on the screen may be out of date. */
export function UnreadableBanner() {
  const text = useText();
  const describe = useErrorText();
  const error = useStore(unreadableEvent);
  return (
    <div role="alert">
      {error !== null && (
        <div className="flex items-center gap-2 border-line border-b bg-warn-wash px-3 py-1.5 text-sm text-warn">
          <Icon className="shrink-0" name="warning" size={14} />
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{describe(error)}</span>
          <Button className="h-7" look="quiet" onClick={() => location.reload()}>
            {text.errors.reload}
          </Button>
        </div>
      )}
    </div>
  );
}
