import type { SignInOptions } from "@skein/contracts";
import { returnPath } from "../preferences/team-mode.ts";
import { Button } from "../ui/button.tsx";
import { useAction } from "../ui/use-action.ts";
import { EntryError } from "./entry-frame.tsx";
import { teamApi } from "./team-api.ts";
import { useTeamText } from "./use-team-text.ts";

/** Sign-in with OpenID Connect, where the server has providers. */
export function ProviderButtons(props: { providers: SignInOptions["providers"]; returnTo: string; invitation?: string }) {
  const words = useTeamText().signIn;
  const { busy, error, run } = useAction();
  if (props.providers.length === 0) return null;
  const start = (id: string) =>
    run(async () => {
      const { url } = await teamApi.startProvider(id, props.invitation === undefined ? {} : { invitation: props.invitation });
      returnPath.set(props.returnTo);
      location.assign(url);
    });
  return (
    <div className="space-y-3">
      <p className="flex items-center gap-3 text-ink-faint text-xs">
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
        {words.or}
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
      </p>
      {props.providers.map(({ id, name }) => (
        <Button className="h-9 w-full" disabled={busy} key={id} onClick={() => void start(id)}>
          <span className="truncate">{words.with(name)}</span>
        </Button>
      ))}
      <EntryError>{error}</EntryError>
    </div>
  );
}
