import { type ReactNode, useId, useState } from "react";
import { sessionSecret } from "../api/session-secret.ts";
import { useAppearance } from "../preferences/theme.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { fieldClass } from "../ui/field.tsx";
import { useTitle } from "../ui/use-title.ts";
import { useTeamText } from "./use-team-text.ts";

/** A page outside of the app: sign-in and invitations. */
export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  useAppearance();
  useTitle(title);
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto flex min-h-full w-full max-w-sm flex-col justify-center gap-5 p-6">
        <div>
          <img alt="" className="mb-4 size-10" height="40" src="/icon.svg" width="40" />
          <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
        </div>
        {children}
      </div>
    </main>
  );
}

/** A password, which can be shown while it is typed. */
export function PasswordField(props: {
  label: string;
  value: string;
  onChange(value: string): void;
  autoComplete: "current-password" | "new-password";
  hint?: string;
  autoFocus?: boolean;
}) {
  const words = useTeamText().password;
  const [id, showId] = [useId(), useId()];
  const [isShown, setShown] = useState(false);
  return (
    <div>
      <label className="mb-1 block font-medium text-sm" htmlFor={id}>
        {props.label}
      </label>
      <input
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        autoCapitalize="none"
        autoComplete={props.autoComplete}
        // biome-ignore lint/a11y/noAutofocus: the only thing to do on the page
        autoFocus={props.autoFocus}
        className={fieldClass}
        id={id}
        maxLength={1000}
        onChange={(event) => props.onChange(event.target.value)}
        required
        spellCheck={false}
        type={isShown ? "text" : "password"}
        value={props.value}
      />
      <label className="mt-1 flex min-h-6 pointer-coarse:min-h-11 w-fit items-center gap-1.5 text-ink-soft text-xs" htmlFor={showId}>
        <input
          checked={isShown}
          className="size-3.5 accent-accent"
          id={showId}
          onChange={(event) => setShown(event.target.checked)}
          type="checkbox"
        />
        {words.show}
      </label>
      {props.hint !== undefined && (
        <p className="text-ink-faint text-xs" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
    </div>
  );
}

export function EntryError({ children }: { children: string | null }) {
  return children === null ? null : <ErrorText>{children}</ErrorText>;
}

/** Uses a new session. The page is loaded anew: nothing of another user stays in it. */
export function enterWith(secret: string, path: string): void {
  sessionSecret.set(secret);
  history.replaceState(null, "", path);
  location.reload();
}
