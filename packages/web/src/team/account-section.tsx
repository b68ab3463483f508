import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { signOut } from "../live/sign-out.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { TextField } from "../ui/field.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { PasswordField } from "./entry-frame.tsx";
import { OwnKeysPart } from "./keys-part.tsx";
import { meQuery, useMe } from "./me.ts";
import { SessionsPart } from "./sessions-part.tsx";
import { shortestPassword } from "./shortest-password.ts";
import { sessionsQuery, teamApi } from "./team-api.ts";
import { Badge, Part } from "./team-parts.tsx";
import { TokensPart } from "./tokens-part.tsx";
import { useTeamText } from "./use-team-text.ts";

/** The account of the signed-in user. */
export function AccountSection() {
  const me = useMe();
  if (!me?.user) return null;
  const { user } = me;
  return (
    <div className="max-w-xl space-y-6">
      <Profile email={user.email} isAdmin={user.isAdmin} key={user.name} name={user.name} />
      <PasswordPart email={user.email} hasPassword={user.hasPassword} />
      <OwnKeysPart />
      <SessionsPart />
      <TokensPart isAdmin={me.isAdmin} />
    </div>
  );
}

function Profile({ name: saved, email, isAdmin }: { name: string; email: string; isAdmin: boolean }) {
  const { app } = useText();
  const words = useTeamText().account;
  const client = useQueryClient();
  const [name, setName] = useState(saved);
  const { busy, error, run } = useAction();
  const isChanged = name.trim() !== "" && name.trim() !== saved;
  const rename = () =>
    run(async () => {
      const user = await teamApi.rename(name.trim());
      client.setQueryData(meQuery.queryKey, (known) => known && { ...known, user });
      showToast({ text: words.renamed, tone: "plain" });
    });
  return (
    <Part title={words.profile}>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span className="[overflow-wrap:anywhere]">{email}</span>
        {isAdmin && <Badge>{words.administrator}</Badge>}
      </p>
      <form className="space-y-3" onSubmit={prevented(() => isChanged && !busy && void rename())}>
        <TextField autoComplete="name" label={words.name} onChange={setName} required value={name} />
        <div className="flex flex-wrap gap-2">
          <Button disabled={busy || !isChanged} type="submit">
            {app.save}
          </Button>
          <Button onClick={() => void run(() => signOut({}))}>{words.signOut}</Button>
        </div>
        {error && <ErrorText>{error}</ErrorText>}
      </form>
    </Part>
  );
}

function PasswordPart({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const text = useTeamText();
  const words = text.account;
  const client = useQueryClient();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [isShort, setShort] = useState(false);
  const { busy, error, run } = useAction();
  const change = () => {
    setShort(password.length < shortestPassword);
    if (busy || password.length < shortestPassword) return;
    void run(async () => {
      await teamApi.changePassword({ password, ...(hasPassword ? { current } : {}) });
      setCurrent("");
      setPassword("");
      showToast({ text: words.passwordChanged, tone: "plain" });
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
    });
  };
  return (
    <Part text={hasPassword ? words.passwordText : words.passwordNone} title={words.passwordTitle}>
      <form className="space-y-3" onSubmit={prevented(change)}>
        {/* for password managers */}
        <input autoComplete="username" hidden readOnly type="text" value={email} />
        {hasPassword && (
          <PasswordField autoComplete="current-password" label={text.password.current} onChange={setCurrent} value={current} />
        )}
        <PasswordField
          autoComplete="new-password"
          hint={text.password.hint(shortestPassword)}
          label={text.password.new}
          onChange={setPassword}
          value={password}
        />
        <Button disabled={busy || password === ""} type="submit">
          {hasPassword ? words.changePassword : words.setPassword}
        </Button>
        {isShort && password.length < shortestPassword ? (
          <ErrorText>{text.password.short(shortestPassword)}</ErrorText>
        ) : (
          error && <ErrorText>{error}</ErrorText>
        )}
      </form>
    </Part>
  );
}

function prevented(act: () => unknown) {
  return (event: FormEvent) => {
    event.preventDefault();
    act();
  };
}
