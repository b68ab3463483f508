import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useRef, useState } from "react";
import { projectsQuery } from "../api/queries.ts";
import { useText } from "../i18n/locale.tsx";
import { signedIn } from "../live/live.ts";
import { useAppearance } from "../preferences/theme.ts";
import { useCurrentProject } from "../projects/use-current-project.ts";
import { useTypeAhead } from "../search/use-type-ahead.ts";
import { newTaskRequest } from "../start/new-task-request.ts";
import { useStore } from "../state/external-store.ts";
import { useRole } from "../team/me.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { Toaster } from "../ui/toaster.tsx";
import { useShortcut } from "../ui/use-shortcut.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { NarrowInboxLink, Sidebar } from "./sidebar.tsx";
import { SignedOutPage } from "./signed-out-page.tsx";
import { StorageBanner } from "./storage-banner.tsx";
import { UnreadableBanner } from "./unreadable-banner.tsx";
import { usePageFocus } from "./use-page-focus.ts";

const ShortcutsDialog = lazyComponent(() => import("./shortcuts-dialog.tsx"), "ShortcutsDialog").Component;

const NewTaskDialog = lazyComponent(() => import("../start/new-task-dialog.tsx"), "NewTaskDialog").Component;

const InvitePage = lazyComponent(() => import("../team/invite-page.tsx"), "InvitePage").Component;

const CommandPalette = lazyComponent(() => import("../search/command-palette.tsx"), "CommandPalette");

export function Shell() {
  const isSignedIn = useStore(signedIn);
  const path = useRouterState({ select: (state) => state.location.pathname });
  if (path === "/invite")
    return (
      <Suspense>
        <InvitePage />
      </Suspense>
    );
  return isSignedIn && path !== "/sign-in" ? <SignedInShell /> : <SignedOutPage />;
}

function SignedInShell() {
  const text = useText();
  const navigate = useNavigate();
  const project = useCurrentProject();
  const { data: projects } = useQuery(projectsQuery);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [menuOpen, setMenuOpen] = useState(false);
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const composing = useStore(newTaskRequest);
  const canWork = useRole(project?.id) !== "viewer";
  const announced = usePageFocus();
  useAppearance();
  useShortcut("c", () => project && canWork && newTaskRequest.set(true));
  useShortcut("i", () => void navigate({ to: "/inbox" }));
  useShortcut("u", () => void navigate({ to: "/automations" }));
  useShortcut(",", () => void navigate({ to: "/settings" }));
  const typeAhead = useTypeAhead(paletteOpen);
  usePaletteKey(() => setPaletteOpen((open) => !open));
  useShortcut("?", () => setShortcutsOpen(true));
  useShortcut("b", () => project && void navigate({ to: "/p/$projectId", params: { projectId: project.id } }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu of a narrow screen
  useEffect(() => setMenuOpen(false), [path]);
  // without a project, the other pages, such as the settings, need a way back
  const firstRun = projects?.length === 0 && path === "/";
  return (
    <div className="flex h-full flex-col">
      <a
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-raised focus:px-3 focus:py-1.5"
        href="#content"
      >
        {text.app.skipToContent}
      </a>
      <p aria-live="polite" className="sr-only">
        {announced}
      </p>
      <ConnectionBanner />
      <StorageBanner />
      <UnreadableBanner />
      <div className="flex min-h-0 flex-1">
        {!firstRun && (
          <Sidebar onClose={() => setMenuOpen(false)} onSearch={() => setPaletteOpen(true)} open={menuOpen} project={project} />
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          {!firstRun && (
            <div className="flex h-11 shrink-0 items-center gap-2 border-line border-b px-2 md:hidden">
              <IconButton aria-expanded={menuOpen} label={text.app.openMenu} onClick={() => setMenuOpen(true)}>
                <Icon name="menu" />
              </IconButton>
              <span className="min-w-0 flex-1 truncate font-semibold">{project?.name ?? text.app.name}</span>
              <IconButton label={text.shell.palette.title} onClick={() => setPaletteOpen(true)}>
                <Icon name="search" />
              </IconButton>
              <NarrowInboxLink />
            </div>
          )}
          <main className="min-h-0 flex-1 overflow-y-auto outline-none" id="content" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
      <Toaster />
      <Suspense>
        {paletteOpen && (
          <CommandPalette.Component
            onClose={() => setPaletteOpen(false)}
            readTyped={typeAhead.read}
            showShortcuts={() => setShortcutsOpen(true)}
          />
        )}
      </Suspense>
      <Suspense>
        {composing && project && canWork && <NewTaskDialog onClose={() => newTaskRequest.set(false)} projectId={project.id} />}
      </Suspense>
      <Suspense>{shortcutsOpen && <ShortcutsDialog onOpenChange={setShortcutsOpen} open />}</Suspense>
    </div>
  );
}

/** Ctrl or ⌘+K, also from a field: it is how one leaves it for elsewhere. */
function usePaletteKey(toggle: () => void): void {
  const latest = useRef(toggle);
  useEffect(() => {
    latest.current = toggle;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === "Control" || event.key === "Meta") CommandPalette.preload();
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
