import { Link, useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { useText } from "../i18n/locale.tsx";
import { NotFoundPage } from "../ui/message-pages.tsx";
import { useTitle } from "../ui/use-title.ts";
import { AgentsSection } from "./agents-section.tsx";
import { AppearanceSection } from "./appearance-section.tsx";
import { ConversationsSection } from "./conversations-section.tsx";
import { DefaultsSection } from "./defaults-section.tsx";
import { ForgesSection } from "./forges-section.tsx";
import { ModelsSection } from "./models-section.tsx";
import { NotificationsSection } from "./notifications-section.tsx";
import { ProjectsSection } from "./projects-section.tsx";
import { ShortcutList } from "./shortcut-list.tsx";
import { StorageSection } from "./storage-section.tsx";
import { ToolProcessorsSection } from "./tool-processors-section.tsx";
import { TransferSection } from "./transfer-section.tsx";

const sections = {
  appearance: AppearanceSection,
  agents: AgentsSection,
  models: ModelsSection,
  forges: ForgesSection,
  conversations: ConversationsSection,
  defaults: DefaultsSection,
  projects: ProjectsSection,
  notifications: NotificationsSection,
  shortcuts: ShortcutList,
  tools: ToolProcessorsSection,
  storage: StorageSection,
  transfer: TransferSection,
} satisfies Record<string, ComponentType>;

type SectionName = keyof typeof sections;
const names = Object.keys(sections) as SectionName[];

export function SettingsPage() {
  const { shell } = useText();
  const { section: asked = "appearance" } = useParams({ strict: false }) as { section?: string };
  const name = names.find((known) => known === asked);
  useTitle(shell.settings.title);
  if (!name) return <NotFoundPage />;
  const Section = sections[name];
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 p-3 sm:p-6 md:flex-row md:gap-8">
      <div className="md:w-44 md:shrink-0">
        <h1 className="mb-2 px-2 font-semibold text-lg">{shell.settings.title}</h1>
        <nav aria-label={shell.settings.title}>
          <ul className="flex flex-wrap gap-0.5 md:flex-col">
            {names.map((other) => (
              <li key={other}>
                <Link
                  aria-current={other === name ? "page" : undefined}
                  className={`flex h-8 pointer-coarse:h-11 items-center rounded-md px-2 text-sm hover:bg-hover ${other === name ? "bg-active text-ink" : "text-ink-soft"}`}
                  params={{ section: other }}
                  to="/settings/$section"
                >
                  {shell.settings.sections[other]}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <section aria-labelledby="settings-section" className="min-w-0 flex-1 pb-10">
        <h2 className="mb-4 font-semibold text-lg max-md:border-line max-md:border-t max-md:pt-4" id="settings-section">
          {shell.settings.sections[name]}
        </h2>
        <Section />
      </section>
    </div>
  );
}
