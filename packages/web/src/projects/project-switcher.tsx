import type { Project } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api } from "../api/api.ts";
import { projectsQuery } from "../api/queries.ts";
import { useText } from "../i18n/locale.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu, MenuChoices, MenuItem, MenuLine } from "../ui/menu.tsx";

const AddProjectDialog = lazy(() => import("./add-project-dialog.tsx").then((module) => ({ default: module.AddProjectDialog })));
const ConfirmDialog = lazy(() => import("../ui/confirm-dialog.tsx").then((module) => ({ default: module.ConfirmDialog })));

export function ProjectSwitcher({ current }: { current: Project | undefined }) {
  const text = useText();
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery(projectsQuery);
  const [dialog, setDialog] = useState<"add" | "remove" | null>(null);
  return (
    <>
      <Menu
        trigger={
          <button
            aria-label={`${text.projects.switch}: ${current?.name ?? ""}`}
            className="flex h-9 pointer-coarse:h-11 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-start font-semibold hover:bg-hover"
            type="button"
          >
            <img alt="" className="size-5 rounded" height="20" src="/icon.svg" width="20" />
            <span className="min-w-0 flex-1 truncate">{current?.name ?? text.app.name}</span>
            <Icon className="text-ink-faint" name="chevronUpDown" size={14} />
          </button>
        }
      >
        {projects.length > 0 && (
          <MenuChoices
            choices={projects.map((project) => ({
              value: project.id as string,
              label: (
                <>
                  <span className="block truncate">{project.name}</span>
                  <span className="block truncate pb-1 text-ink-faint text-xs">{project.path}</span>
                </>
              ),
            }))}
            label={text.projects.all}
            onChoose={(id) => {
              const project = projects.find((known) => known.id === id);
              if (project) void navigate({ to: "/p/$projectId", params: { projectId: project.id } });
            }}
            value={current?.id ?? ""}
          />
        )}
        <MenuLine />
        <MenuItem icon="plus" onSelect={() => setDialog("add")}>
          {text.projects.add}
        </MenuItem>
        {current && (
          <MenuItem danger icon="trash" onSelect={() => setDialog("remove")}>
            {text.projects.remove}
          </MenuItem>
        )}
      </Menu>
      <Suspense>
        {dialog === "add" && <AddProjectDialog onOpenChange={(open) => setDialog(open ? "add" : null)} open />}
        {dialog === "remove" && current && (
          <ConfirmDialog
            action={text.projects.remove}
            description={text.projects.removeText}
            onConfirm={async () => {
              await api.deleteProject(current.id);
              await navigate({ to: "/" });
            }}
            onOpenChange={(open) => setDialog(open ? "remove" : null)}
            open
            title={text.projects.removeTitle(current.name)}
          />
        )}
      </Suspense>
    </>
  );
}
