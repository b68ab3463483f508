import { useEffect, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { eventStream } from "../live/live.ts";
import { useStore } from "../state/external-store.ts";
import { Button } from "../ui/button.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";

/** A restarting server is back before the banner could be read. */
const patienceMs = 1500;

export function ConnectionBanner() {
  const text = useText();
  const state = useStore(eventStream.state);
  const broken = state === "reconnecting" || state === "offline";
  const [patient, setPatient] = useState(true);
  useEffect(() => {
    setPatient(true);
    if (!broken) return;
    const timer = setTimeout(() => setPatient(false), patienceMs);
    return () => clearTimeout(timer);
  }, [broken]);
  if (!broken || (patient && state !== "offline")) return null;
  return (
    <div className="flex items-center gap-2 border-line border-b bg-warn-wash px-3 py-1.5 text-sm text-warn" role="status">
      {state === "offline" ? <Icon name="warning" size={14} /> : <Spinner size={14} />}
      <span className="min-w-0 flex-1">{state === "offline" ? text.connection.offlineBanner : text.connection.reconnectingBanner}</span>
      <Button className="h-7" look="quiet" onClick={() => eventStream.retryNow()}>
        {text.app.retry}
      </Button>
    </div>
  );
}

export function ConnectionState() {
  const text = useText();
  const state = useStore(eventStream.state);
  const color = state === "live" ? "bg-good" : state === "offline" ? "bg-bad" : "bg-warn";
  return (
    <span className="flex items-center gap-1.5 text-ink-faint text-xs" role="status">
      <span aria-hidden="true" className={`size-1.5 rounded-full ${color}`} />
      {text.connection[state]}
    </span>
  );
}
