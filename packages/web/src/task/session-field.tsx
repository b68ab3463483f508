import type { AgentInfo, ProjectId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { agentSessionsQuery } from "../api/shell-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { Select } from "../ui/select.tsx";

const newSession = "";

/** Chooses an existing session of the agent in the project's folder; null: a new one. The list is loaded when it is opened. */
export function SessionField(props: {
  projectId: ProjectId;
  agent: AgentInfo;
  value: string | null;
  onChange(session: string | null): void;
}) {
  const text = useTaskText();
  const format = useFormats();
  const describe = useErrorText();
  const [isOpen, setOpen] = useState(false);
  const { data, error, isFetching } = useQuery({ ...agentSessionsQuery(props.projectId, props.agent.id), enabled: isOpen });
  const sessions = data?.sessions ?? [];
  return (
    <details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-ink-soft">{text.attempt.session.title(props.agent.name)}</summary>
      <div className="mt-2 space-y-2">
        {data === undefined && isFetching && <Spinner size={14} />}
        {error !== null && <ErrorText>{describe(error)}</ErrorText>}
        {data !== undefined && sessions.length === 0 && <p className="text-ink-soft">{text.attempt.session.none}</p>}
        {sessions.length > 0 && (
          <Select
            label={text.attempt.session.label}
            onChange={(id) => props.onChange(id === newSession ? null : id)}
            options={[
              { value: newSession, label: text.attempt.session.startNew },
              ...sessions.map(({ id, title, updatedAt }) => ({
                value: id,
                label: title ?? id,
                ...(updatedAt === null ? {} : { hint: format.dateTime(updatedAt) }),
              })),
            ]}
            value={props.value ?? newSession}
          />
        )}
        {props.value !== null && <p className="text-ink-soft">{text.attempt.session.inPlace}</p>}
      </div>
    </details>
  );
}
