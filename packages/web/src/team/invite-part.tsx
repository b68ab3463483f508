import type { CreatedInvitation, Project, ProjectRole } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { useAction } from "../ui/use-action.ts";
import { useChange } from "../ui/use-change.ts";
import { roles } from "./members-part.tsx";
import { invitationsQuery, teamApi } from "./team-api.ts";
import { Badge, Part, Row, Rows, ShownOnce } from "./team-parts.tsx";
import { useTeamText } from "./use-team-text.ts";

const expiries = [1, 7, 30];

/** Invites somebody to a project; an administrator can invite another administrator. */
export function InvitePart({ project, isAdmin }: { project: Project | undefined; isAdmin: boolean }) {
  const text = useTeamText();
  const words = text.invitations;
  const client = useQueryClient();
  const [email, setEmail] = useState("");
  const [as, setAs] = useState<ProjectRole | "admin">(project === undefined ? "admin" : "member");
  const [days, setDays] = useState(7);
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  const { busy, error, run } = useAction();
  const inProject = project === undefined ? [] : roles.map((value) => toChoice(value, project));
  function toChoice(value: ProjectRole, { name }: Project) {
    return { value, label: words.roleIn(text.roles[value].label, name), hint: text.roles[value].hint };
  }
  const create = () =>
    run(async () => {
      const address = email.trim() === "" ? {} : { email: email.trim() };
      const isForProject = project !== undefined && as !== "admin";
      setCreated(
        isForProject
          ? await teamApi.inviteToProject(project.id, { ...address, role: as, days })
          : await teamApi.invite({ ...address, isAdmin: true, days }),
      );
      setEmail("");
      if (isAdmin) await client.invalidateQueries({ queryKey: invitationsQuery.queryKey });
    });
  return (
    <Part text={words.text} title={words.title}>
      <form
        aria-label={words.title}
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void create();
        }}
      >
        <TextField
          autoComplete="off"
          hint={words.emailHint}
          label={words.email}
          maxLength={254}
          onChange={setEmail}
          type="email"
          value={email}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <Select
            label={words.as}
            onChange={(value) => setAs(value as ProjectRole | "admin")}
            options={[...inProject, ...(isAdmin ? [{ value: "admin", label: words.administrator, hint: words.administratorHint }] : [])]}
            value={as}
          />
          <Select
            label={words.expiry}
            onChange={(value) => setDays(Number(value))}
            options={expiries.map((value) => ({ value: String(value), label: text.tokens.days(value) }))}
            value={String(days)}
          />
        </div>
        <Button disabled={busy} look="primary" type="submit">
          {words.create}
        </Button>
        {error && <ErrorText>{error}</ErrorText>}
      </form>
      {created && <ShownOnce copyLabel={words.copy} key={created.id} label={words.link} text={words.created} value={created.url} />}
    </Part>
  );
}

/** Invitations that nobody has accepted yet. */
export function OpenInvitations() {
  const text = useTeamText();
  const words = text.invitations;
  const format = useFormats();
  const describe = useErrorText();
  const { data, error: loadError } = useQuery(invitationsQuery);
  const { busy, error, change } = useChange(invitationsQuery);
  const open = data?.filter(({ usedBy, expiresAt }) => usedBy === null && expiresAt > Date.now());
  return (
    <Part title={words.open}>
      {loadError && !data && <ErrorText>{describe(loadError)}</ErrorText>}
      {open?.length === 0 && <p className="text-ink-faint text-sm">{words.none}</p>}
      <Rows>
        {open?.map(({ id, email, isAdmin, by, expiresAt }) => (
          <Row
            badges={isAdmin && <Badge>{words.administrator}</Badge>}
            facts={words.facts(by?.name ?? null, format.dateTime(expiresAt))}
            key={id}
            name={email ?? words.anyone}
          >
            <Button
              aria-label={words.withdrawOf(email ?? words.anyone)}
              disabled={busy}
              look="danger"
              onClick={() => void change(() => teamApi.withdraw(id), words.withdrawn)}
            >
              {words.withdraw}
            </Button>
          </Row>
        ))}
      </Rows>
      {error && <ErrorText>{error}</ErrorText>}
    </Part>
  );
}
