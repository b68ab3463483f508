import type { Project } from "@skein/contracts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { api } from "../api/api.ts";
import { ApiError } from "../api/api-error.ts";
import { projectsQuery } from "../api/queries.ts";
import { useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";

/** One field. What the server says against a path stands beside it, with the way on. */
export function AddProjectForm({ onAdded }: { onAdded?: (project: Project) => void }) {
  const text = useText();
  const describe = useErrorText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [path, setPath] = useState("");
  const id = useId();
  const add = useMutation({
    mutationFn: () => api.createProject({ path: path.trim() }),
    onSuccess: async (project) => {
      client.setQueryData(projectsQuery.queryKey, (known) => [...(known ?? []).filter(({ id: other }) => other !== project.id), project]);
      onAdded?.(project);
      await navigate({ to: "/p/$projectId", params: { projectId: project.id } });
    },
  });
  const notRepository = add.error instanceof ApiError && /repositor/.test(add.error.problem.code);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (path.trim() !== "" && !add.isPending) add.mutate();
      }}
    >
      <label className="mb-1.5 block font-medium text-sm" htmlFor={id}>
        {text.projects.pathLabel}
      </label>
      <div className="flex flex-col gap-2 sm:flex-row">
        <input
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={add.isError}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          className={`h-9 pointer-coarse:h-11 min-w-0 flex-1 rounded-md border bg-canvas px-3 font-mono text-sm placeholder:text-ink-faint ${add.isError ? "border-bad" : "border-line-strong"}`}
          // biome-ignore lint/a11y/noAutofocus: the page, or the dialog, has this one field
          autoFocus
          id={id}
          onChange={(event) => {
            setPath(event.target.value);
            if (add.isError) add.reset();
          }}
          placeholder={text.projects.pathPlaceholder}
          spellCheck={false}
          value={path}
        />
        <Button className="h-9" disabled={path.trim() === "" || add.isPending} look="primary" type="submit">
          {add.isPending && <Spinner size={14} />}
          {text.projects.add}
        </Button>
      </div>
      <div className="mt-2 min-h-5" id={`${id}-error`}>
        {add.isError ? (
          <ErrorText>
            {describe(add.error)} {notRepository && !/git init/.test(describe(add.error)) && text.projects.fallbackHint}
          </ErrorText>
        ) : (
          <p className="text-ink-faint text-sm" id={`${id}-hint`}>
            {text.projects.pathHint}
          </p>
        )}
      </div>
    </form>
  );
}
