import type { ProjectId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { branchesQuery } from "../api/shell-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import { SettingButton } from "./setting-button.tsx";

const BranchPopup = lazyComponent(() => import("./branch-popup.tsx"), "BranchPopup");

/** The branch that an attempt starts from; null is the one that is checked out. */
export function BranchPicker(props: {
  projectId: ProjectId;
  value: string | null;
  className?: string;
  onChange(name: string | null): void;
}) {
  const text = useTaskText();
  const { data } = useQuery(branchesQuery(props.projectId));
  const [opened, setOpened] = useState(false);
  const button = (
    <SettingButton
      aria-haspopup="dialog"
      className={props.className ?? ""}
      icon="branch"
      label={text.attempt.baseBranch}
      onClick={() => setOpened(true)}
      onFocus={BranchPopup.preload}
      onPointerEnter={BranchPopup.preload}
      value={props.value ?? data?.current ?? text.start.branch.current}
    />
  );
  if (!opened) return button;
  return (
    <Suspense fallback={button}>
      <BranchPopup.Component onChange={props.onChange} projectId={props.projectId} trigger={button} />
    </Suspense>
  );
}
