import type { ListedFolder } from "@skein/contracts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { foldersQuery, repositoriesQuery } from "../api/shell-api.ts";
import { useDebounced } from "../ui/use-debounced.ts";

const debounceMs = 80;
const none: readonly ListedFolder[] = [];

export interface FolderSuggestions {
  folders: readonly ListedFolder[];
  /** Whether they belong to the current text. Earlier ones stay until the answer arrives, so that nothing jumps. */
  isCurrent: boolean;
  isLooking: boolean;
}

/** Repositories near the home folder while nothing is typed, then folders that complete what is typed. */
export function useFolderSuggestions(typed: string): FolderSuggestions {
  const path = typed.trim();
  const settled = useDebounced(path, debounceMs);
  const near = useQuery(repositoriesQuery);
  const matches = useQuery({ ...foldersQuery(settled), enabled: settled !== "", placeholderData: keepPreviousData });
  if (path === "") return { folders: near.data?.folders ?? none, isCurrent: true, isLooking: near.isPending };
  return { folders: matches.data?.folders ?? none, isCurrent: settled === path && !matches.isPlaceholderData, isLooking: false };
}
