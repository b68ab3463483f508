import type { AuditEntry, UserId } from "@skein/contracts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFormats, useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Select } from "../ui/select.tsx";
import { useIsAdmin } from "./me.ts";
import { auditQuery, usersQuery } from "./team-api.ts";
import { Badge } from "./team-parts.tsx";
import { useTeamText } from "./use-team-text.ts";

/** Who did what, for administrators. */
export function AuditSection() {
  const { audit: words } = useTeamText();
  const isAdmin = useIsAdmin();
  return isAdmin ? <AuditLog /> : <p className="text-ink-soft text-sm">{words.adminsOnly}</p>;
}

function AuditLog() {
  const { audit: words } = useTeamText();
  const describe = useErrorText();
  const { app } = useText();
  const [userId, setUserId] = useState("");
  const { data: users = [] } = useQuery(usersQuery(true));
  const log = useInfiniteQuery(auditQuery(userId === "" ? null : (userId as UserId)));
  const entries = log.data?.pages.flatMap((page) => page.entries);
  return (
    <div className="max-w-2xl space-y-4">
      <p className="text-ink-soft text-sm">{words.text}</p>
      <div className="max-w-xs">
        <Select
          label={words.user}
          onChange={setUserId}
          options={[{ value: "", label: words.everyone }, ...users.map(({ id, name }) => ({ value: id as string, label: name }))]}
          value={userId}
        />
      </div>
      {entries?.length === 0 && <p className="text-ink-faint text-sm">{words.none}</p>}
      <ol className="divide-y divide-line rounded-lg border border-line empty:hidden">
        {entries?.map((entry) => (
          <Entry entry={entry} key={entry.number} />
        ))}
      </ol>
      {log.error && (
        <div className="space-y-2">
          <ErrorText>{describe(log.error)}</ErrorText>
          <Button onClick={() => void log.refetch()}>{app.retry}</Button>
        </div>
      )}
      {log.hasNextPage && (
        <Button disabled={log.isFetching} onClick={() => void log.fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </div>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { audit: words } = useTeamText();
  const format = useFormats();
  const { action, outcome } = entry;
  const named = action === "user:signed-in" ? words.signedIn : action === "user:sign-in-failed" ? words.signInFailed : null;
  const isToken = entry.tokenId !== undefined;
  return (
    <li className="space-y-0.5 px-3 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{entry.by?.name ?? words.callers[entry.caller]}</span>
        {isToken && <span className="text-ink-faint text-xs">{words.byToken}</span>}
        <time className="ms-auto text-ink-faint text-xs tabular-nums" dateTime={new Date(entry.at).toISOString()}>
          {format.dateTime(entry.at)}
        </time>
      </p>
      <p className="flex flex-wrap items-center gap-x-2">
        {named ?? <code className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{action}</code>}
        {outcome !== "done" && <Badge tone="warn">{words.outcomes[outcome]}</Badge>}
      </p>
      <p className="text-ink-faint text-xs [overflow-wrap:anywhere]">{[entry.address, ...entry.subjects].join(" · ")}</p>
    </li>
  );
}
