import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { templatesQuery } from "../api/automation-api.ts";
import { projectsQuery } from "../api/queries.ts";
import { useLocale } from "../i18n/locale.tsx";
import { localeNames } from "../i18n/locales.ts";
import { usePaletteText } from "../i18n/palette-text.ts";
import { signOut } from "../live/sign-out.ts";
import { type Theme, themes, useTheme } from "../preferences/theme.ts";
import { useCurrentProject } from "../projects/use-current-project.ts";
import { addAgentRequest } from "../settings/add-agent-request.ts";
import { newTaskRequest, templateRequest } from "../start/new-task-request.ts";
import { useIsAdmin, useRole } from "../team/me.ts";
import type { IconName } from "../ui/icon.tsx";
import { useTaskCommands } from "./use-task-commands.ts";

export interface PaletteCommand {
  id: string;
  icon: IconName;
  title: string;
  keys?: string;
  run(): void;
}

export function useCommands({ showShortcuts }: { showShortcuts(): void }): PaletteCommand[] {
  const { locale, setLocale } = useLocale();
  const text = usePaletteText();
  const { commands } = text.shell.palette;
  const navigate = useNavigate();
  const project = useCurrentProject();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: templates = [] } = useQuery(templatesQuery);
  const [theme, setTheme] = useTheme();
  const themeName: Record<Theme, string> = { system: text.app.themeSystem, light: text.app.themeLight, dark: text.app.themeDark };
  const go = (to: "/inbox" | "/automations" | "/settings" | "/usage" | "/import") => () => void navigate({ to });
  const toBoard = (projectId: (typeof projects)[number]["id"]) => void navigate({ to: "/p/$projectId", params: { projectId } });
  const taskCommands = useTaskCommands();
  const canWork = useRole(project?.id) !== "viewer";
  const isAdmin = useIsAdmin();
  return [
    ...taskCommands,
    ...(project
      ? [
          ...(canWork
            ? [
                {
                  ...{ id: "new-task", icon: "plus" as const, title: text.start.newTask, keys: "C" },
                  run: () => newTaskRequest.set(true),
                },
                ...templates
                  .filter(({ projectId }) => projectId === project.id)
                  .map((template) => ({
                    ...{ id: `template-${template.id}`, icon: "file" as const, title: text.start.template.start(template.name) },
                    run: () => {
                      templateRequest.set(template);
                      newTaskRequest.set(true);
                    },
                  })),
              ]
            : []),
          { id: "board", icon: "board" as const, title: text.shortcuts.goBoard, keys: "B", run: () => toBoard(project.id) },
        ]
      : []),
    { id: "inbox", icon: "inbox", title: commands.inbox, keys: "I", run: go("/inbox") },
    { id: "automations", icon: "bolt", title: text.shortcuts.goAutomations, keys: "U", run: go("/automations") },
    { id: "usage", icon: "chart", title: commands.usage, run: go("/usage") },
    { id: "settings", icon: "gear", title: commands.settings, keys: ",", run: go("/settings") },
    ...(isAdmin
      ? [
          { id: "import", icon: "archive" as const, title: commands.importSessions, run: go("/import") },
          {
            ...{ id: "add-agent", icon: "agent" as const, title: commands.addAgent },
            run: () => {
              addAgentRequest.set(true);
              void navigate({ to: "/settings/$section", params: { section: "agents" } });
            },
          },
        ]
      : []),
    ...projects
      .filter(({ id }) => id !== project?.id)
      .map(({ id, name }) => ({ id: `project-${id}`, icon: "folder" as const, title: commands.project(name), run: () => toBoard(id) })),
    ...themes
      .filter((other) => other !== theme)
      .map((other) => ({
        id: `theme-${other}`,
        icon: "sun" as const,
        title: commands.theme(themeName[other]),
        run: () => setTheme(other),
      })),
    ...localeNames
      .filter(([other]) => other !== locale)
      .map(([other, name]) => ({
        ...{ id: `language-${other}`, icon: "language" as const, title: commands.language(name) },
        run: () => setLocale(other),
      })),
    { id: "shortcuts", icon: "keyboard", title: text.app.shortcuts, keys: "?", run: showShortcuts },
    { id: "sign-out", icon: "cross", title: text.app.signOut, run: () => void signOut({}) },
    { id: "sign-out-everywhere", icon: "cross", title: text.app.signOutEverywhere, run: () => void signOut({ everywhere: true }) },
  ];
}
