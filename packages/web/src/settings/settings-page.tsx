import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { type ComponentType, Suspense, useEffect, useRef } from "react";
import { nodesQuery } from "../api/node-api.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { useMe } from "../team/me.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import { NotFoundPage } from "../ui/message-pages.tsx";
import { ScrollHint } from "../ui/scroll-hint.tsx";
import { useOverflow } from "../ui/use-overflow.ts";
import { useTitle } from "../ui/use-title.ts";
import { AgentsSection } from "./agents-section.tsx";
import { AppearanceSection } from "./appearance-section.tsx";
import { ConversationsSection } from "./conversations-section.tsx";
import { DefaultsSection } from "./defaults-section.tsx";
import { ForgesSection } from "./forges-section.tsx";
import { LimitsSection } from "./limits-section.tsx";
import { ModelsSection } from "./models-section.tsx";
import { NotificationsSection } from "./notifications-section.tsx";
import { ProjectsSection } from "./projects-section.tsx";
import { ShortcutList } from "./shortcut-list.tsx";
import { StorageSection } from "./storage-section.tsx";
import { ToolProcessorsSection } from "./tool-processors-section.tsx";
import { TransferSection } from "./transfer-section.tsx";
import { WorkersSection } from "./workers-section.tsx";

const AgentAccessSection = lazyComponent(() => import("./agent-access-section.tsx"), "AgentAccessSection").Component;
const NodesSection = lazyComponent(() => import("./nodes-section.tsx"), "NodesSection").Component;
const SandboxSection = lazyComponent(() => import("./sandbox-section.tsx"), "SandboxSection").Component;
const AccountSection = lazyComponent(() => import("../team/account-section.tsx"), "AccountSection").Component;
const TeamSection = lazyComponent(() => import("../team/team-section.tsx"), "TeamSection").Component;
const AuditSection = lazyComponent(() => import("../team/audit-section.tsx"), "AuditSection").Component;

const sections = {
  appearance: AppearanceSection,
  agents: AgentsSection,
  access: AgentAccessSection,
  models: ModelsSection,
  workers: WorkersSection,
  nodes: NodesSection,
  forges: ForgesSection,
  conversations: ConversationsSection,
  limits: LimitsSection,
  sandbox: SandboxSection,
  defaults: DefaultsSection,
  projects: ProjectsSection,
  notifications: NotificationsSection,
  shortcuts: ShortcutList,
  tools: ToolProcessorsSection,
  storage: StorageSection,
  transfer: TransferSection,
  account: AccountSection,
  team: TeamSection,
  audit: AuditSection,
} satisfies Record<string, ComponentType>;

type SectionName = keyof typeof sections;
const names = Object.keys(sections) as SectionName[];
const ofTeam: readonly SectionName[] = ["account", "team", "audit"];
/** The others are about the server, which administrators manage. */
const ofEverybody: readonly SectionName[] = ["account", "team", "access", "appearance", "limits", "projects", "notifications", "shortcuts"];

/** The sections that the user can use. */
function useSectionNames(): readonly SectionName[] {
  const me = useMe();
  const isAdmin = me === undefined || me.isAdmin;
  const { data: nodes } = useQuery({ ...nodesQuery, enabled: isAdmin, refetchInterval: false });
  if (!isAdmin) return ofEverybody;
  // as long as it is not known, an address of the page is not wrong
  const ofServer = names.filter((name) => !ofTeam.includes(name) && (name !== "nodes" || nodes?.length !== 0));
  return me === undefined ? ofServer : [...ofTeam, ...ofServer];
}

export function SettingsPage() {
  const { shell } = useSettingsText();
  const { section: asked = "appearance" } = useParams({ strict: false }) as { section?: string };
  const listed = useSectionNames();
  const name = listed.find((known) => known === asked);
  useTitle(shell.settings.title);
  if (!name) return <NotFoundPage />;
  const Section = sections[name];
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 p-3 sm:p-6 md:flex-row md:gap-8">
      <div className="min-w-0 md:w-44 md:shrink-0">
        <h1 className="mb-2 px-2 font-semibold text-lg">{shell.settings.title}</h1>
        <SectionLinks current={name} names={listed} />
      </div>
      <section aria-labelledby="settings-section" className="min-w-0 flex-1 pb-10">
        <h2 className="mb-4 font-semibold text-lg max-md:border-line max-md:border-t max-md:pt-4" id="settings-section">
          {shell.settings.sections[name]}
        </h2>
        <Suspense>
          <Section />
        </Suspense>
      </section>
    </div>
  );
}

/** A column; on a narrow screen a row that scrolls, so that the settings are in view. */
function SectionLinks({ current, names: listed }: { current: SectionName; names: readonly SectionName[] }) {
  const { settings } = useSettingsText().shell;
  const row = useRef<HTMLUListElement>(null);
  const overflow = useOverflow(row);
  useEffect(() => {
    // newer browsers return a promise, which React would take for the effect's end
    void row.current?.querySelector(`[data-section="${current}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return (
    <nav aria-label={settings.title} className="relative">
      <ul
        className="flex gap-0.5 overflow-x-auto scroll-px-8 [scrollbar-width:none] md:flex-col md:overflow-visible"
        onScroll={overflow.update}
        ref={row}
      >
        {listed.map((name) => (
          <li className="shrink-0" data-section={name} key={name}>
            <Link
              aria-current={name === current ? "page" : undefined}
              className={`flex h-8 pointer-coarse:h-11 items-center rounded-md px-2 text-sm -outline-offset-2 hover:bg-hover ${name === current ? "bg-active text-ink" : "text-ink-soft"}`}
              // a browser leaves a link that is partly in view where it is
              onFocus={(event) => void event.currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" })}
              params={{ section: name }}
              to="/settings/$section"
            >
              {settings.sections[name]}
            </Link>
          </li>
        ))}
      </ul>
      {overflow.start && <ScrollHint scrolled={row} side="start" />}
      {overflow.end && <ScrollHint scrolled={row} side="end" />}
    </nav>
  );
}
