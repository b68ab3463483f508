import type { ReactNode } from "react";
import type { IconName } from "./icon.tsx";

export interface MenuChoice<Value extends string> {
  value: Value;
  label: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
}

interface ChoicesEntry<Value extends string> {
  kind: "choices";
  label: string;
  value: Value | null;
  choices: readonly MenuChoice<Value>[];
  onChoose(value: Value): void;
}

interface ChecksEntry<Value extends string> {
  kind: "checks";
  label: string;
  values: readonly Value[];
  choices: readonly MenuChoice<Value>[];
  onToggle(value: Value): void;
}

interface MenuItem {
  kind: "item";
  icon: IconName;
  label: string;
  /** What it will do, below its label. */
  hint?: string | undefined;
  danger?: boolean;
  /** Why it cannot be done now. It cannot be chosen then, unless `canExplain` is set: choosing it shows more about the reason. */
  obstacle?: string | undefined;
  canExplain?: boolean;
  onSelect(): void;
}

/** What a menu holds, as data: its drawing is loaded when it is opened for the first time. */
export type MenuEntry = MenuItem | { kind: "line" } | ChoicesEntry<string> | ChecksEntry<string>;

/** Only the values given come back, so the wider type of the entry is safe. */
export function menuChoices<Value extends string>(choices: Omit<ChoicesEntry<Value>, "kind">): MenuEntry {
  return { ...choices, kind: "choices", onChoose: (value) => choices.onChoose(value as Value) };
}

/** Any number of them; the menu stays open. */
export function menuChecks<Value extends string>(checks: Omit<ChecksEntry<Value>, "kind">): MenuEntry {
  return { ...checks, kind: "checks", onToggle: (value) => checks.onToggle(value as Value) };
}
