import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useText } from "../i18n/locale.tsx";
import { Button, buttonClass } from "./button.tsx";
import { useErrorText } from "./error-text.tsx";

/** A page with one message and what to do next. */
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
