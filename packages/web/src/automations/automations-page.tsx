import { Link, useParams } from "@tanstack/react-router";
import { type ComponentType, Suspense } from "react";
import { lazyComponent } from "../ui/lazy-component.ts";
import { NotFoundPage } from "../ui/message-pages.tsx";
import { useTitle } from "../ui/use-title.ts";
import { useAutomationsText } from "./use-automations-text.ts";

const SchedulesSection = lazyComponent(() => import("./schedules-section.tsx"), "SchedulesSection").Component;
const HooksSection = lazyComponent(() => import("./hooks-section.tsx"), "HooksSection").Component;
const TemplatesSection = lazyComponent(() => import("./templates-section.tsx"), "TemplatesSection").Component;

/** Each is loaded when it is opened. */
const sections = { schedules: SchedulesSection, templates: TemplatesSection, webhooks: HooksSection } satisfies Record<
  string,
  ComponentType
>;

type SectionName = keyof typeof sections;
const names = Object.keys(sections) as SectionName[];

/** Work that starts by itself, and what it starts from. */
export function AutomationsPage() {
  const words = useAutomationsText();
  const { section: asked = "schedules" } = useParams({ strict: false }) as { section?: string };
  const name = names.find((known) => known === asked);
  useTitle(words.title);
  if (!name) return <NotFoundPage />;
  const Section = sections[name];
  return (
    <div className="mx-auto w-full max-w-4xl p-3 pb-12 sm:p-6">
      <h1 className="font-semibold text-lg">{words.title}</h1>
      <nav aria-label={words.title} className="mt-3 mb-4 border-line border-b">
        <ul className="flex gap-1 overflow-x-auto [scrollbar-width:none]">
          {names.map((one) => (
            <li className="shrink-0" key={one}>
              <Link
                aria-current={one === name ? "page" : undefined}
                className={`-mb-px flex h-9 pointer-coarse:h-11 items-center border-b-2 px-3 text-sm -outline-offset-2 hover:text-ink ${one === name ? "border-accent font-medium text-ink" : "border-transparent text-ink-soft"}`}
                params={{ section: one }}
                to="/automations/$section"
              >
                {words.sections[one]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-label={words.sections[name]}>
        <Suspense>
          <Section />
        </Suspense>
      </section>
    </div>
  );
}
