import type { UpdateUser, User } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { IconButton } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import type { Me } from "./me.ts";
import { teamApi, usersQuery } from "./team-api.ts";
import { Badge, Part, Row, Rows } from "./team-parts.tsx";
import { useTeamText } from "./use-team-text.ts";

/** All users, for administrators. */
export function UsersPart({ me }: { me: Me }) {
  const text = useTeamText();
  const words = text.users;
  const describe = useErrorText();
  const client = useQueryClient();
  const { data: users, error: loadError } = useQuery(usersQuery(true));
  const [deactivating, setDeactivating] = useState<User | null>(null);
  const { error, run } = useAction();
  const update = async (user: User, changes: UpdateUser) => {
    await teamApi.updateUser(user.id, changes);
    showToast({ text: words.saved(user.name), tone: "plain" });
    await client.invalidateQueries({ queryKey: ["team"] });
  };
  const endSessions = async (user: User) => {
    await teamApi.endSessions(user.id);
    showToast({ text: words.signedOut(user.name), tone: "plain" });
  };
  return (
    <Part text={words.text} title={words.title}>
      {loadError && !users && <ErrorText>{describe(loadError)}</ErrorText>}
      <Rows>
        {users?.map((user) => (
          <Row
            badges={
              <>
                {user.id === me.user?.id && <Badge>{text.members.you}</Badge>}
                {user.isAdmin && <Badge>{text.account.administrator}</Badge>}
                {user.deactivatedAt !== null && <Badge tone="warn">{text.members.deactivated}</Badge>}
              </>
            }
            facts={user.email}
            key={user.id}
            name={user.name}
          >
            {user.id !== me.user?.id && (
              <Menu
                align="end"
                entries={[
                  {
                    kind: "item",
                    icon: "shield",
                    label: user.isAdmin ? words.removeAdmin : words.makeAdmin,
                    onSelect: () => void run(() => update(user, { isAdmin: !user.isAdmin })),
                  },
                  { kind: "item", icon: "cross", label: words.endSessions, onSelect: () => void run(() => endSessions(user)) },
                  { kind: "line" },
                  user.deactivatedAt === null
                    ? { kind: "item", icon: "stop", label: words.deactivate, danger: true, onSelect: () => setDeactivating(user) }
                    : {
                        kind: "item",
                        icon: "refresh",
                        label: words.reactivate,
                        onSelect: () => void run(() => update(user, { isActive: true })),
                      },
                ]}
                trigger={
                  <IconButton label={words.actions(user.name)}>
                    <Icon name="more" />
                  </IconButton>
                }
              />
            )}
          </Row>
        ))}
      </Rows>
      {error && <ErrorText>{error}</ErrorText>}
      {deactivating && (
        <ConfirmDialog
          action={words.deactivate}
          description={words.deactivateText}
          onConfirm={() => update(deactivating, { isActive: false })}
          onOpenChange={() => setDeactivating(null)}
          open
          title={words.deactivateTitle(deactivating.name)}
        />
      )}
    </Part>
  );
}
