import type { ListedGrant, ProjectId } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/api.ts";
import { grantsQuery } from "../api/queries.ts";
import { toGrantText, toRetiredGrantText } from "../approvals/grant-text.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { IconButton } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";

/** What is always allowed in this project; each grant can be revoked. */
export function GrantList({ projectId }: { projectId: ProjectId }) {
  const text = useSettingsText();
  const describe = useErrorText();
  const client = useQueryClient();
  const { data: grants, error: loadError } = useQuery(grantsQuery(projectId));
  const [error, setError] = useState<string | null>(null);
  const remove = async ({ id }: ListedGrant) => {
    setError(null);
    try {
      await api.deleteGrant(id);
    } catch (failure) {
      setError(describe(failure));
    }
    await client.invalidateQueries({ queryKey: grantsQuery(projectId).queryKey });
  };
  const shown = error ?? (loadError ? describe(loadError) : null);
  return (
    <>
      {shown && <ErrorText>{shown}</ErrorText>}
      {grants?.length === 0 && <p className="text-ink-soft text-sm">{text.grantList.none}</p>}
      {grants && grants.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {grants.map((listed) => {
            const { grant, isInEffect } = listed;
            const label = isInEffect ? toGrantText(grant, text.grants) : toRetiredGrantText(grant, text.grants);
            return (
              <li className="flex items-center gap-2 py-1 ps-3 pe-1" key={listed.id}>
                <span className={`min-w-0 flex-1 text-sm [overflow-wrap:anywhere] ${isInEffect ? "" : "text-ink-soft"}`}>{label}</span>
                <IconButton label={text.grantList.remove(label)} onClick={() => void remove(listed)}>
                  <Icon name="cross" size={14} />
                </IconButton>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
