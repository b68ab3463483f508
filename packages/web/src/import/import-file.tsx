import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { importApi, importRunsQuery } from "../api/import-api.ts";
import { projectsQuery } from "../api/queries.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { Select } from "../ui/select.tsx";
import { useAction } from "../ui/use-action.ts";
import { useImportText } from "./use-import-text.ts";

/** An attempt that was exported as JSON becomes a task of a project. */
export function ImportFile() {
  const words = useImportText();
  const client = useQueryClient();
  const { data: projects = [] } = useQuery(projectsQuery);
  const [chosen, setChosen] = useState<string>();
  const picker = useRef<HTMLInputElement>(null);
  const { busy, error, run } = useAction();
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  const send = async (file: File | undefined) => {
    if (file === undefined || project === undefined) return;
    await importApi.sendFile(project.id, file);
    await client.invalidateQueries({ queryKey: importRunsQuery.queryKey });
  };
  return (
    <section aria-labelledby="import-file" className="mt-6">
      <h2 className="font-semibold" id="import-file">
        {words.file}
      </h2>
      <p className="text-ink-soft text-sm">{projects.length === 0 ? words.fileNeedsProject : words.fileWhat}</p>
      {project !== undefined && (
        <div className="mt-2 flex flex-wrap items-end gap-2">
          <div className="w-64 max-w-full">
            <Select
              label={words.project}
              onChange={setChosen}
              options={projects.map(({ id, name }) => ({ value: id, label: name }))}
              value={project.id}
            />
          </div>
          <Button disabled={busy} onClick={() => picker.current?.click()}>
            {busy && <Spinner size={14} />}
            {busy ? words.sending : words.chooseFile}
          </Button>
          <input
            accept="application/json,.json"
            aria-label={words.chooseFile}
            className="hidden"
            onChange={(event) => {
              const file = event.target.files?.[0];
              void run(() => send(file));
              event.target.value = "";
            }}
            ref={picker}
            type="file"
          />
        </div>
      )}
      {error && <ErrorText>{error}</ErrorText>}
    </section>
  );
}
