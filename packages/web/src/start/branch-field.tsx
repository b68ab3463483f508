import type { ProjectId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { branchesQuery } from "../api/shell-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { SuggestField } from "../ui/suggest-field.tsx";
import { matchBranches } from "./match-branches.ts";

const shownBranches = 50;

/** Search among the branches of a project. The one that is checked out is chosen as null: it is followed when it changes. */
export function BranchField(props: { projectId: ProjectId; onChoose(name: string | null): void; autoFocus?: boolean }) {
  const words = useTaskText().start.branch;
  const describe = useErrorText();
  const { data, error } = useQuery(branchesQuery(props.projectId));
  const [typed, setTyped] = useState("");
  const choose = (name: string) => props.onChoose(name === "" || name === data?.current ? null : name);
  // the one that is checked out first, whatever its last commit
  const branches = data ? [...(data.current === null ? [] : [data.current]), ...data.branches.filter((name) => name !== data.current)] : [];
  return (
    <div>
      <SuggestField
        autoFocus={props.autoFocus ?? false}
        label={words.search}
        listLabel={words.list}
        onChange={setTyped}
        onChoose={choose}
        onSubmit={() => choose(typed.trim())}
        placeholder={words.search}
        preselect
        suggestions={matchBranches(branches, typed, shownBranches).map(({ name, isListed }) => ({
          ...{ value: name, label: isListed ? name : words.other(name), icon: "branch" },
          ...(name === data?.current ? { hint: words.current } : {}),
        }))}
        value={typed}
      />
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {data?.truncated && <p className="mt-1 px-1 text-ink-faint text-xs">{words.truncated}</p>}
    </div>
  );
}
