import type { Project } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { projectsQuery } from "../api/queries.ts";
import { useText } from "../i18n/locale.tsx";
import { signOut } from "../live/sign-out.ts";
import { lastProject } from "../preferences/last-project.ts";
import { AddProjectForm } from "../projects/add-project-form.tsx";
import { useIsAdmin } from "../team/me.ts";
import { Button } from "../ui/button.tsx";
import { FailedPage, MessagePage } from "../ui/message-pages.tsx";

/** The last opened project, or any. */
export function findHomeProject(projects: readonly Project[] | undefined): Project | undefined {
  return projects?.find(({ id }) => id === lastProject.read()) ?? projects?.[0];
}

/** Goes to the project that was open last; without any, it is the first run. */
export function HomePage() {
  const { data: projects, error } = useQuery(projectsQuery);
  if (error && !projects) return <FailedPage error={error} />;
  if (!projects) return null;
  const project = findHomeProject(projects);
  return project ? <Navigate params={{ projectId: project.id }} replace to="/p/$projectId" /> : <Welcome />;
}

function Welcome() {
  const text = useText();
  if (!useIsAdmin()) return <NoProjectPage />;
  return (
    <div className="mx-auto flex min-h-full max-w-lg flex-col justify-center gap-8 p-6">
      <div>
        <img alt="" className="mb-5 size-11" height="44" src="/icon.svg" width="44" />
        <h1 className="font-semibold text-2xl tracking-tight">{text.projects.welcomeTitle}</h1>
        <p className="mt-1.5 text-pretty text-base text-ink-soft">{text.projects.welcomeText}</p>
      </div>
      <AddProjectForm />
      <section aria-labelledby="what-happens" className="border-line border-t pt-5">
        <h2 className="font-medium text-sm" id="what-happens">
          {text.projects.whatHappens}
        </h2>
        <ol className="mt-2 space-y-1.5 text-ink-soft text-sm">
          {[text.projects.step1, text.projects.step2, text.projects.step3].map((step, index) => (
            <li className="flex gap-2.5" key={step}>
              <span aria-hidden="true" className="w-3 shrink-0 text-ink-faint tabular-nums">
                {index + 1}
              </span>
              {step}
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

/** A user who is not a member of any project; only administrators add projects. */
function NoProjectPage() {
  const text = useText();
  return (
    <MessagePage title={text.team.noProjectTitle}>
      <p className="text-ink-soft">{text.team.noProject}</p>
      <Button onClick={() => void signOut({})}>{text.app.signOut}</Button>
    </MessagePage>
  );
}
