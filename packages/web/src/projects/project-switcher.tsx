import type { Project, ProjectId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { projectsQuery } from "../api/queries.ts";
import { useText } from "../i18n/locale.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { PathText } from "../ui/path-text.tsx";

const AddProjectDialog = lazyComponent(() => import("./add-project-dialog.tsx"), "AddProjectDialog").Component;
const ProjectSettingsDialog = lazyComponent(() => import("./project-settings-dialog.tsx"), "ProjectSettingsDialog").Component;

export function ProjectSwitcher({ current }: { current: Project | undefined }) {
  const text = useText();
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery(projectsQuery);
  const [dialog, setDialog] = useState<"add" | "settings" | null>(null);
  return (
    <>
      <Menu
        entries={[
          projects.length === 0
            ? null
            : menuChoices<ProjectId>({
                label: text.projects.all,
                value: current?.id ?? null,
                choices: projects.map(({ id, name, path }) => ({ value: id, label: <ProjectLabel name={name} path={path} /> })),
                onChoose: (projectId) => void navigate({ to: "/p/$projectId", params: { projectId } }),
              }),
          { kind: "line" },
          { kind: "item", icon: "plus", label: text.projects.add, onSelect: () => setDialog("add") },
          current ? { kind: "item", icon: "tool", label: text.projects.settings, onSelect: () => setDialog("settings") } : null,
        ]}
        trigger={
          <button
            aria-label={text.app.labelled(text.projects.switch, current?.name ?? "")}
            className="flex h-9 pointer-coarse:h-11 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-start font-semibold hover:bg-hover"
            type="button"
          >
            <img alt="" className="size-5 rounded" height="20" src="/icon.svg" width="20" />
            <span className="min-w-0 flex-1 truncate">{current?.name ?? text.app.name}</span>
            <Icon className="text-ink-faint" name="chevronUpDown" size={14} />
          </button>
        }
      />
      <Suspense>
        {dialog === "add" && <AddProjectDialog onOpenChange={(open) => setDialog(open ? "add" : null)} open />}
        {dialog === "settings" && current && (
          <ProjectSettingsDialog key={current.id} onOpenChange={(open) => setDialog(open ? "settings" : null)} open project={current} />
        )}
      </Suspense>
    </>
  );
}

function ProjectLabel({ name, path }: { name: string; path: string }) {
  return (
    <>
      <span className="block truncate">{name}</span>
      <PathText className="pb-1 text-ink-faint text-xs" text={path} />
    </>
  );
}
