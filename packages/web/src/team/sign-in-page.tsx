import type { CodedText, SignInOptions } from "@skein/contracts";
import { useState } from "react";
import { useCodedText } from "../i18n/coded-text.ts";
import { launchLinkFailed } from "../live/live.ts";
import { useStore } from "../state/external-store.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Spinner } from "../ui/icon.tsx";
import { useAction } from "../ui/use-action.ts";
import { EntryError, EntryFrame, enterWith, PasswordField } from "./entry-frame.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import { teamApi } from "./team-api.ts";
import { useTeamText } from "./use-team-text.ts";

/** Shown at the address that the user wanted, which is opened after the sign-in. */
export function SignInPage({ options }: { options: SignInOptions }) {
  const words = useTeamText().signIn;
  if (options.needsSetup)
    return (
      <EntryFrame title={words.setupTitle}>
        <p className="text-ink-soft">{words.setupText}</p>
      </EntryFrame>
    );
  return (
    <EntryFrame title={words.title}>
      <PasswordForm />
      <ProviderButtons providers={options.providers} returnTo={readReturnTo()} />
      <p className="text-ink-faint text-sm">{words.help}</p>
    </EntryFrame>
  );
}

function PasswordForm() {
  const words = useTeamText().signIn;
  const initial = useProblemOfAddress();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const { busy, error, run } = useAction();
  return (
    <form
      aria-label={words.title}
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        setTried(true);
        void run(async () => enterWith((await teamApi.signIn({ email, password })).secret, readReturnTo()));
      }}
    >
      <TextField
        autoComplete="username"
        autoFocus
        label={words.email}
        maxLength={254}
        onChange={setEmail}
        required
        type="email"
        value={email}
      />
      <PasswordField autoComplete="current-password" label={words.password} onChange={setPassword} value={password} />
      <EntryError>{error ?? (tried ? null : initial)}</EntryError>
      <Button aria-disabled={busy} className="h-9 w-full" look="primary" type="submit">
        {busy && <Spinner size={14} />}
        {words.submit}
      </Button>
    </form>
  );
}

/** Why a sign-in with a provider failed. */
function useProblemOfAddress(): string | null {
  const coded = useCodedText();
  const words = useTeamText().signIn;
  const linkFailed = useStore(launchLinkFailed);
  if (location.pathname === "/sign-in") {
    const problem = parseProblemText(new URLSearchParams(location.search).get("problem"));
    if (problem !== null) return coded(problem, words.failedLink);
  }
  return linkFailed ? words.failedLink : null;
}

/** Anybody can write an address: only a known code is turned into a text. */
function parseProblemText(json: string | null): CodedText | null {
  try {
    const value: unknown = JSON.parse(json ?? "null");
    return typeof value === "object" && value !== null && "code" in value ? (value as CodedText) : null;
  } catch {
    return null;
  }
}

const readReturnTo = (): string => (location.pathname === "/sign-in" ? "/" : `${location.pathname}${location.search}${location.hash}`);
