import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useText } from "../i18n/locale.tsx";
import { launchLinkFailed } from "../live/live.ts";
import { useStore } from "../state/external-store.ts";
import { signInQuery } from "../team/sign-in-query.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import { MessagePage } from "../ui/message-pages.tsx";

const SignInPage = lazyComponent(() => import("../team/sign-in-page.tsx"), "SignInPage").Component;

/** Users sign in at the address that they wanted; a server without users sends a link. */
export function SignedOutPage() {
  const { data: options, isPending } = useQuery(signInQuery);
  if (isPending) return null;
  if (!options?.team) return <LinkNeededPage />;
  return (
    <Suspense>
      <SignInPage options={options} />
    </Suspense>
  );
}

function LinkNeededPage() {
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
