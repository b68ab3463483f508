import type { OwnedKey, ProjectId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../i18n/locale.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { KeyForm } from "../ui/key-form.tsx";
import { useChange } from "../ui/use-change.ts";
import { keysQuery, teamApi } from "./team-api.ts";
import { Badge, Part, Row, Rows } from "./team-parts.tsx";
import { useTeamText } from "./use-team-text.ts";

/** The keys of the signed-in user. */
export function OwnKeysPart() {
  const words = useTeamText().keys;
  return <KeysPart isEditable owner={null} text={words.ownText} title={words.ownTitle} />;
}

/** The keys of a project. `isEditable`: for its owners; members see which there are. */
export function ProjectKeysPart({ project, isEditable }: { project: { id: ProjectId; name: string }; isEditable: boolean }) {
  const words = useTeamText().keys;
  const text = isEditable ? words.projectText : `${words.projectText} ${words.ownersOnly}`;
  return <KeysPart isEditable={isEditable} owner={project.id} text={text} title={words.projectTitle(project.name)} />;
}

function KeysPart({ owner, isEditable, ...part }: { owner: ProjectId | null; isEditable: boolean; title: string; text: string }) {
  const words = useTeamText().keys;
  const format = useFormats();
  const describe = useErrorText();
  const { data: keys, error } = useQuery(keysQuery(owner));
  const since = (updatedAt: number | null) => (updatedAt === null ? words.unset : words.since(format.date(updatedAt)));
  return (
    <Part {...part}>
      {error && !keys && <ErrorText>{describe(error)}</ErrorText>}
      {isEditable ? (
        keys?.map((key) => <EditableKey key={key.name} owned={key} owner={owner} since={since(key.updatedAt)} />)
      ) : (
        <Rows>
          {keys?.map(({ name, isSet, updatedAt }) => (
            <Row badges={isSet && <Badge tone="good">{words.set}</Badge>} facts={since(updatedAt)} key={name} name={words.names[name]} />
          ))}
        </Rows>
      )}
    </Part>
  );
}

function EditableKey({ owned: { name, isSet }, owner, since }: { owned: OwnedKey; owner: ProjectId | null; since: string }) {
  const words = useTeamText().keys;
  const { busy, error, change } = useChange(keysQuery(owner));
  const label = words.names[name];
  return (
    <KeyForm
      busy={busy}
      error={error}
      isSet={isSet}
      label={label}
      note={name === "claude-code" ? words.claudeHint : undefined}
      onRemove={() => void change(() => teamApi.removeKey(owner, name), words.removed(label))}
      onSave={(key, done) => void change(() => teamApi.setKey(owner, name, key).then(done), words.saved(label))}
      state={isSet ? <Badge tone="good">{since}</Badge> : <Badge>{since}</Badge>}
      words={{ ...words.form, removeLabel: words.removeOf(label) }}
    />
  );
}
