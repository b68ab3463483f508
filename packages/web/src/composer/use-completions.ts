import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { attemptApi, type FilePlace } from "../api/attempt-api.ts";
import { type Completion, matchCommands } from "./find-completion.ts";

export interface CompletionOption {
  value: string;
  /** What it is for; null for files. */
  hint: string | null;
}

const none: CompletionOption[] = [];
const maxCommands = 12;

/** Completions of the typed text, the best first. */
export function useCompletions(place: FilePlace, completion: Completion | null): readonly CompletionOption[] {
  const kind = completion?.kind;
  const query = completion?.query ?? "";
  const files = useQuery({
    queryKey: ["file-matches", place, query],
    queryFn: ({ signal }) => attemptApi.matchFiles(place, query, signal),
    enabled: kind === "file",
    // Between two keys the list of the first stays.
    placeholderData: keepPreviousData,
    staleTime: 3000,
    gcTime: 10_000,
  });
  const commands = useQuery({
    queryKey: ["slash-commands", place],
    queryFn: ({ signal }) => attemptApi.listCommands(place, signal),
    enabled: kind === "command",
    staleTime: 10_000,
  });
  return useMemo(() => {
    if (kind === "file") return files.data?.paths.map((path) => ({ value: path, hint: null })) ?? none;
    if (kind !== "command") return none;
    return matchCommands(commands.data ?? [], query)
      .slice(0, maxCommands)
      .map(({ name, description }) => ({ value: name, hint: description }));
  }, [kind, query, files.data, commands.data]);
}
