import type { Project } from "@skein/contracts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { api } from "../api/api.ts";
import { projectsQuery } from "../api/queries.ts";
import { useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { SuggestField } from "../ui/suggest-field.tsx";
import { touchOnly, useMedia } from "../ui/use-media.ts";
import { useFolderSuggestions } from "./use-folder-suggestions.ts";

/** One field with repositories to choose from. Why the server rejects a path is shown next to it, with what to do. */
export function AddProjectForm({ onAdded }: { onAdded?: (project: Project) => void }) {
  const text = useText();
  const words = text.start.repository;
  const describe = useErrorText();
  const isTouch = useMedia(touchOnly);
  const navigate = useNavigate();
  const client = useQueryClient();
  const [path, setPath] = useState("");
  const suggestions = useFolderSuggestions(path);
  const id = useId();
  const add = useMutation({
    mutationFn: (wanted: string) => api.createProject({ path: wanted.trim() }),
    onSuccess: async (project) => {
      client.setQueryData(projectsQuery.queryKey, (known) => [...(known ?? []).filter(({ id: other }) => other !== project.id), project]);
      onAdded?.(project);
      await navigate({ to: "/p/$projectId", params: { projectId: project.id } });
    },
  });
  const submit = (wanted: string) => {
    if (wanted.trim() !== "" && !add.isPending) add.mutate(wanted);
  };
  const change = (wanted: string) => {
    setPath(wanted);
    if (add.isError) add.reset();
  };
  const typed = path.trim().replace(/(?<=.)\/+$/, "");
  const isRepository = (chosen: string) => suggestions.folders.some((known) => known.path === chosen && known.isRepository);
  const complete = (chosen: string) => change(isRepository(chosen) ? chosen : `${chosen}/`);
  /** A repository is added, a folder is opened further; one that was typed whole is what the user wants. */
  const choose = (chosen: string) => {
    if (!isRepository(chosen) && chosen !== typed) return complete(chosen);
    setPath(chosen);
    submit(chosen);
  };
  // after a slash, only the folder itself: Enter must not add one that was never named
  const preselect = suggestions.isCurrent && path.trim() !== "" && (!path.trim().endsWith("/") || suggestions.folders[0]?.path === typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit(path);
      }}
    >
      <label className="mb-1.5 block font-medium text-sm" htmlFor={id}>
        {text.projects.pathLabel}
      </label>
      <SuggestField
        autoFocus
        describedBy={`${id}-hint ${id}-error`}
        id={id}
        invalid={add.isError}
        label={text.projects.pathLabel}
        listLabel={path.trim() === "" ? words.found : words.folders}
        onChange={change}
        onChoose={choose}
        onComplete={complete}
        onSubmit={() => submit(path)}
        placeholder={text.projects.pathPlaceholder}
        preselect={preselect}
        suggestions={suggestions.folders.map(({ name, path: folder, isRepository }) => ({
          ...{ value: folder, label: path.trim() === "" ? folder : name, icon: isRepository ? "branch" : "folder" },
          ...(isRepository ? { hint: words.isRepository } : {}),
        }))}
        value={path}
      />
      <div className="mt-2 flex items-start gap-3">
        <div className="min-h-5 min-w-0 flex-1" id={`${id}-error`}>
          {add.isError ? (
            <ErrorText>{describe(add.error)}</ErrorText>
          ) : (
            <p className="text-ink-faint text-sm" id={`${id}-hint`}>
              {suggestions.isLooking ? words.searching : isTouch ? words.hintByTouch : words.hint}
            </p>
          )}
        </div>
        <Button className="h-9" disabled={path.trim() === "" || add.isPending} look="primary" type="submit">
          {add.isPending && <Spinner size={14} />}
          {text.projects.add}
        </Button>
      </div>
    </form>
  );
}
