import { useText } from "../i18n/locale.tsx";
import { launchLinkFailed } from "../live/live.ts";
import { useStore } from "../state/external-store.ts";
import { MessagePage } from "../ui/message-pages.tsx";

export function SignedOutPage() {
  const text = useText();
  const linkFailed = useStore(launchLinkFailed);
  return (
    <main className="h-full">
      <MessagePage title={linkFailed ? text.signedOut.linkTitle : text.signedOut.title}>
        <p className="text-ink-soft">{linkFailed ? text.signedOut.linkText : text.signedOut.text}</p>
        <p className="text-ink-soft">{text.signedOut.how}</p>
        <pre className="rounded-lg border border-line bg-code px-3 py-2 font-mono text-sm">npm start</pre>
        <p className="text-ink-faint text-sm">{text.signedOut.again}</p>
      </MessagePage>
    </main>
  );
}
