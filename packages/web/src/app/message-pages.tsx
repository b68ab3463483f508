import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useText } from "../i18n/locale.tsx";
import { useStore } from "../live/external-store.ts";
import { launchLinkFailed } from "../live/live.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { useErrorText } from "../ui/error-text.tsx";

/** A page that says one thing and the way on. */
export function MessagePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex min-h-full items-center justify-center p-6">
      <div className="w-full max-w-md space-y-3">
        <h1 className="font-semibold text-lg">{title}</h1>
        {children}
      </div>
    </div>
  );
}

export function NotFoundPage() {
  const text = useText();
  return (
    <MessagePage title={text.app.notFoundTitle}>
      <p className="text-ink-soft">{text.app.notFoundText}</p>
      <Link className={buttonClass("secondary")} to="/">
        {text.app.backHome}
      </Link>
    </MessagePage>
  );
}

export function FailedPage({ error }: { error: unknown }) {
  const text = useText();
  const describe = useErrorText();
  return (
    <MessagePage title={text.app.failedTitle}>
      <p className="text-ink-soft">{describe(error)}</p>
      <Button onClick={() => location.reload()}>{text.app.retry}</Button>
    </MessagePage>
  );
}

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
