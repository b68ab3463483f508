import { cloneElement, type ReactElement, Suspense, useState } from "react";
import { lazyComponent } from "./lazy-component.ts";
import type { MenuEntry } from "./menu-entry.ts";

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<MenuTriggerProps>;
  entries: readonly (MenuEntry | null)[];
  align?: "start" | "end";
}

interface MenuTriggerProps {
  onClick?: () => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
}

const MenuPopup = lazyComponent(() => import("./menu-popup.tsx"), "MenuPopup");

/** Its code is a quarter of the app's: it is fetched when a pointer or the focus comes near a menu's button, not before. */
export function Menu({ trigger, entries, align = "start" }: MenuProps) {
  const [opened, setOpened] = useState(false);
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: () => setOpened(true),
    onPointerEnter: MenuPopup.preload,
    onFocus: MenuPopup.preload,
  });
  if (!opened) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuPopup.Component align={align} entries={entries.filter((entry) => entry !== null)} trigger={trigger} />
    </Suspense>
  );
}
