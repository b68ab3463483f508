import type { ProjectId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { projectsQuery } from "../api/queries.ts";
import { lastProject } from "../preferences/last-project.ts";
import { Select } from "../ui/select.tsx";
import { InvitePart, OpenInvitations } from "./invite-part.tsx";
import { ProjectKeysPart } from "./keys-part.tsx";
import { toRole, useMe } from "./me.ts";
import { MembersPart } from "./members-part.tsx";
import { useTeamText } from "./use-team-text.ts";
import { UsersPart } from "./users-part.tsx";

/** Members and keys of projects, invitations, and for administrators all users. */
export function TeamSection() {
  const words = useTeamText().members;
  const me = useMe();
  const { data: projects } = useQuery(projectsQuery);
  const [chosen, choose] = useState<string | null>(() => lastProject.read());
  if (!me || !projects) return null;
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  const role = project && toRole(me, project.id);
  const isOwner = role === "owner";
  return (
    <div className="max-w-xl space-y-6">
      {project === undefined ? (
        <p className="text-ink-soft text-sm">{words.noProjects}</p>
      ) : (
        <>
          {projects.length > 1 && (
            <Select
              label={words.project}
              onChange={(id) => choose(id as ProjectId)}
              options={projects.map(({ id, name }) => ({ value: id, label: name }))}
              value={project.id}
            />
          )}
          <MembersPart isOwner={isOwner} key={project.id} me={me} project={project} />
          {role !== "viewer" && <ProjectKeysPart isEditable={isOwner} key={`keys ${project.id}`} project={project} />}
        </>
      )}
      {(isOwner || me.isAdmin) && <InvitePart isAdmin={me.isAdmin} key={`invite ${project?.id}`} project={project} />}
      {me.isAdmin && <OpenInvitations />}
      {me.isAdmin && <UsersPart me={me} />}
    </div>
  );
}
