import type { ApiToken, CreatedApiToken, ProjectId, TokenScope } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { projectsQuery } from "../api/queries.ts";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { teamApi, tokensQuery } from "./team-api.ts";
import { Badge, Part, Row, Rows, ShownOnce } from "./team-parts.tsx";
import { useTeamText } from "./use-team-text.ts";

/** The user's API tokens. */
export function TokensPart({ isAdmin }: { isAdmin: boolean }) {
  const words = useTeamText().tokens;
  const format = useFormats();
  const describe = useErrorText();
  const client = useQueryClient();
  const { data: tokens, error } = useQuery(tokensQuery);
  const [created, setCreated] = useState<CreatedApiToken | null>(null);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: tokensQuery.queryKey });
  return (
    <Part text={words.text} title={words.title}>
      {error && !tokens && <ErrorText>{describe(error)}</ErrorText>}
      {tokens?.length === 0 && <p className="text-ink-faint text-sm">{words.none}</p>}
      <Rows>
        {tokens?.map((token) => {
          const used = token.lastUsedAt === null ? null : format.relative(token.lastUsedAt, Date.now());
          return (
            <Row
              badges={token.expiresAt <= Date.now() && <Badge tone="warn">{words.expired}</Badge>}
              facts={words.facts(words.scopes[token.scope].label, format.date(token.expiresAt), used)}
              key={token.id}
              name={token.name}
            >
              <Button aria-label={words.revokeOf(token.name)} look="danger" onClick={() => setRevoking(token)}>
                {words.revoke}
              </Button>
            </Row>
          );
        })}
      </Rows>
      {created && (
        <ShownOnce copyLabel={words.copy} key={created.id} label={words.title} text={words.created(created.name)} value={created.token} />
      )}
      <NewToken
        isAdmin={isAdmin}
        onCreated={(token) => {
          setCreated(token);
          void refresh();
        }}
      />
      {revoking && (
        <ConfirmDialog
          action={words.revoke}
          description={words.revokeText}
          onConfirm={async () => {
            await teamApi.revokeToken(revoking.id);
            if (created?.id === revoking.id) setCreated(null);
            showToast({ text: words.revoked, tone: "plain" });
            await refresh();
          }}
          onOpenChange={() => setRevoking(null)}
          open
          title={words.revokeTitle(revoking.name)}
        />
      )}
    </Part>
  );
}

const scopes: readonly TokenScope[] = ["read", "write", "approve", "manage", "admin"];
const expiries = [7, 30, 90, 365];

function NewToken({ isAdmin, onCreated }: { isAdmin: boolean; onCreated(token: CreatedApiToken): void }) {
  const words = useTeamText().tokens;
  const { data: projects = [] } = useQuery(projectsQuery);
  const [name, setName] = useState("");
  const [scope, setScope] = useState<TokenScope>("read");
  const [project, setProject] = useState("");
  const [days, setDays] = useState(90);
  const { busy, error, run } = useAction();
  const create = () =>
    run(async () => {
      const projectIds = project === "" ? null : [project as ProjectId];
      onCreated(await teamApi.createToken({ name: name.trim(), scope, projectIds, days }));
      setName("");
    });
  return (
    <form
      aria-label={words.create}
      className="space-y-3 rounded-md border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "" && !busy) void create();
      }}
    >
      <TextField autoComplete="off" label={words.name} onChange={setName} placeholder={words.namePlaceholder} value={name} />
      <Select
        label={words.scope}
        onChange={(value) => setScope(value as TokenScope)}
        options={scopes.filter((value) => isAdmin || value !== "admin").map((value) => ({ value, ...words.scopes[value] }))}
        value={scope}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={words.project}
          onChange={setProject}
          options={[{ value: "", label: words.allProjects }, ...projects.map(({ id, name: label }) => ({ value: id as string, label }))]}
          value={project}
        />
        <Select
          label={words.expiry}
          onChange={(value) => setDays(Number(value))}
          options={expiries.map((value) => ({ value: String(value), label: words.days(value) }))}
          value={String(days)}
        />
      </div>
      <Button disabled={busy || name.trim() === ""} type="submit">
        {words.create}
      </Button>
      {error && <ErrorText>{error}</ErrorText>}
    </form>
  );
}
