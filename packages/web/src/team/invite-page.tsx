import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { useErrorText } from "../ui/error-text.tsx";
import { TextField } from "../ui/field.tsx";
import { Spinner } from "../ui/icon.tsx";
import { useAction } from "../ui/use-action.ts";
import { EntryError, EntryFrame, enterWith, PasswordField } from "./entry-frame.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import { shortestPassword } from "./shortest-password.ts";
import { signInQuery } from "./sign-in-query.ts";
import { invitationQuery, teamApi } from "./team-api.ts";
import { useTeamText } from "./use-team-text.ts";

let code: string | undefined;

/** From the fragment of the link, which is taken out of the address and so out of the tab's history. */
function readCode(): string {
  if (code === undefined || location.hash !== "") {
    code = location.hash.slice(1);
    history.replaceState(history.state, "", location.pathname);
  }
  return code;
}

export function InvitePage() {
  const words = useTeamText().invite;
  const describe = useErrorText();
  const [ownCode] = useState(readCode);
  const { data: options } = useQuery(signInQuery);
  const { data: invitation, error } = useQuery(invitationQuery(ownCode));
  if (error)
    return (
      <EntryFrame title={words.invalidTitle}>
        <EntryError>{describe(error)}</EntryError>
        <a className={buttonClass("secondary", "h-9")} href="/">
          {words.toSignIn}
        </a>
      </EntryFrame>
    );
  if (!invitation) return null;
  return (
    <EntryFrame title={words.title}>
      <InviteForm code={ownCode} invitation={invitation} />
      <ProviderButtons invitation={ownCode} providers={options?.providers ?? []} returnTo="/" />
      <a className="text-ink-soft text-sm underline underline-offset-2" href="/">
        {words.hasAccount}
      </a>
    </EntryFrame>
  );
}

interface Invitation {
  email: string | null;
  isAdmin: boolean;
  expiresAt: number;
}

function InviteForm({ code: own, invitation: { email: invited, isAdmin, expiresAt } }: { code: string; invitation: Invitation }) {
  const text = useTeamText();
  const words = text.invite;
  const format = useFormats();
  const [email, setEmail] = useState(invited ?? "");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [isShort, setShort] = useState(false);
  const { busy, error, run } = useAction();
  const accept = () => {
    const short = password.length < shortestPassword;
    setShort(short);
    if (busy || short) return;
    void run(async () => {
      const body = { code: own, name: name.trim(), password, ...(invited === null ? { email: email.trim() } : {}) };
      enterWith((await teamApi.accept(body)).secret, "/");
    });
  };
  return (
    <form
      aria-label={words.title}
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        accept();
      }}
    >
      <div className="space-y-1 text-ink-soft text-sm">
        <p className="[overflow-wrap:anywhere]">{invited === null ? words.textAny : words.text(invited)}</p>
        {isAdmin && <p>{words.admin}</p>}
        <p className="text-ink-faint text-xs">{words.expires(format.dateTime(expiresAt))}</p>
      </div>
      <TextField
        autoComplete="username"
        autoFocus={invited === null}
        label={text.signIn.email}
        maxLength={254}
        onChange={setEmail}
        readOnly={invited !== null}
        required
        type="email"
        value={email}
      />
      <TextField
        autoComplete="name"
        autoFocus={invited !== null}
        hint={words.nameHint}
        label={words.name}
        onChange={setName}
        required
        value={name}
      />
      <PasswordField
        autoComplete="new-password"
        hint={text.password.hint(shortestPassword)}
        label={text.signIn.password}
        onChange={setPassword}
        value={password}
      />
      <EntryError>{isShort && password.length < shortestPassword ? text.password.short(shortestPassword) : error}</EntryError>
      <Button aria-disabled={busy} className="h-9 w-full" look="primary" type="submit">
        {busy && <Spinner size={14} />}
        {words.submit}
      </Button>
    </form>
  );
}
