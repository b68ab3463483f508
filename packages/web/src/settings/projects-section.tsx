import type { Project } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { projectsQuery } from "../api/queries.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { toRole, useMe } from "../team/me.ts";
import { Button } from "../ui/button.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { PathText } from "../ui/path-text.tsx";

const ProjectSettingsDialog = lazyComponent(() => import("../projects/project-settings-dialog.tsx"), "ProjectSettingsDialog").Component;
const AddProjectDialog = lazyComponent(() => import("../projects/add-project-dialog.tsx"), "AddProjectDialog").Component;

export function ProjectsSection() {
  const text = useSettingsText();
  const words = text.shell.settings.projects;
  const { data: projects = [] } = useQuery(projectsQuery);
  const [open, setOpen] = useState<Project | null>(null);
  const me = useMe();
  const [adding, setAdding] = useState(false);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 text-ink-soft text-sm">{words.text}</p>
        {(me?.isAdmin ?? true) && <Button onClick={() => setAdding(true)}>{text.projects.add}</Button>}
      </div>
      {projects.length === 0 && <p className="text-ink-soft text-sm">{words.none}</p>}
      <ul className="divide-y divide-line rounded-lg border border-line empty:hidden">
        {projects.map((project) => (
          <li className="flex items-center gap-3 px-3 py-2 text-sm" key={project.id}>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{project.name}</span>
              <PathText className="text-ink-faint text-xs" text={project.path} />
            </span>
            {toRole(me, project.id) === "owner" && (
              <Button aria-label={words.open(project.name)} onClick={() => setOpen(project)}>
                {text.shell.settings.title}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Suspense>
        {open && <ProjectSettingsDialog key={open.id} onOpenChange={(isOpen) => !isOpen && setOpen(null)} open project={open} />}
        {adding && <AddProjectDialog onOpenChange={setAdding} open />}
      </Suspense>
    </>
  );
}
