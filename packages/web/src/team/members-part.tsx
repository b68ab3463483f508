import type { Member, Project, ProjectRole, UserId } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import type { Me } from "./me.ts";
import { candidatesQuery, membersQuery, teamApi } from "./team-api.ts";
import { Badge, Part, Row, RowSelect, Rows } from "./team-parts.tsx";
import { useTeamText } from "./use-team-text.ts";

export const roles: readonly ProjectRole[] = ["viewer", "member", "owner"];

/** The members of a project, with their roles. */
export function MembersPart({ project, me, isOwner }: { project: Project; me: Me; isOwner: boolean }) {
  const text = useTeamText();
  const words = text.members;
  const describe = useErrorText();
  const client = useQueryClient();
  const { data: members, error: loadError } = useQuery(membersQuery(project.id));
  const [removing, setRemoving] = useState<Member["user"] | null>(null);
  const { busy, error, run } = useAction();
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: membersQuery(project.id).queryKey });
    await client.invalidateQueries({ queryKey: candidatesQuery(project.id).queryKey });
  };
  const setRole = ({ id, name }: { id: UserId; name: string }, role: ProjectRole) =>
    run(async () => {
      client.setQueryData(membersQuery(project.id).queryKey, await teamApi.setMember(project.id, id, role));
      showToast({ text: words.changed(name, text.roles[role].label), tone: "plain" });
      await refresh();
    });
  const choices = roles.map((value) => ({ value, label: text.roles[value].label }));
  return (
    <Part title={words.title(project.name)} {...(isOwner ? {} : { text: words.ownersOnly })}>
      {loadError && !members && <ErrorText>{describe(loadError)}</ErrorText>}
      {members?.length === 0 && <p className="text-ink-faint text-sm">{words.none}</p>}
      <Rows>
        {members?.map(({ user, role }) => (
          <Row
            badges={
              <>
                {user.id === me.user?.id && <Badge>{words.you}</Badge>}
                {!user.isActive && <Badge tone="warn">{words.deactivated}</Badge>}
              </>
            }
            facts={user.email}
            key={user.id}
            name={user.name}
          >
            {isOwner ? (
              <>
                <RowSelect
                  disabled={busy}
                  label={words.roleOf(user.name)}
                  onChange={(value) => void setRole(user, value as ProjectRole)}
                  options={choices}
                  value={role}
                />
                <Button aria-label={words.removeOf(user.name)} disabled={busy} look="danger" onClick={() => setRemoving(user)}>
                  {words.remove}
                </Button>
              </>
            ) : (
              <span className="text-ink-soft" title={text.roles[role].hint}>
                {text.roles[role].label}
              </span>
            )}
          </Row>
        ))}
      </Rows>
      {error && <ErrorText>{error}</ErrorText>}
      {isOwner && <AddMember onAdd={setRole} project={project} />}
      {removing && (
        <ConfirmDialog
          action={words.remove}
          description={words.removeText}
          onConfirm={async () => {
            await teamApi.removeMember(project.id, removing.id);
            showToast({ text: words.removed(removing.name), tone: "plain" });
            await refresh();
          }}
          onOpenChange={() => setRemoving(null)}
          open
          title={words.removeTitle(removing.name, project.name)}
        />
      )}
    </Part>
  );
}

/** Adds somebody who has an account already. */
function AddMember({ project, onAdd }: { project: Project; onAdd(user: { id: UserId; name: string }, role: ProjectRole): Promise<void> }) {
  const text = useTeamText();
  const words = text.members;
  const { data: candidates = [] } = useQuery(candidatesQuery(project.id));
  const [chosen, choose] = useState<string | null>(null);
  const [role, setRole] = useState<ProjectRole>("member");
  const user = candidates.find(({ id }) => id === chosen) ?? candidates[0];
  if (user === undefined) return null;
  return (
    <form
      aria-label={words.add}
      className="space-y-3 rounded-md border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void onAdd(user, role);
      }}
    >
      <h4 className="font-medium text-sm">{words.add}</h4>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={words.user}
          onChange={choose}
          options={candidates.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
          value={user.id}
        />
        <Select
          label={words.role}
          onChange={(value) => setRole(value as ProjectRole)}
          options={roles.map((value) => ({ value, ...text.roles[value] }))}
          value={role}
        />
      </div>
      <Button type="submit">{words.addAction}</Button>
    </form>
  );
}
