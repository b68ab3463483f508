import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { loadPart } from "../api/load-part.ts";

/** A named export that is loaded when it is first drawn, or before by `preload`. */
export function lazyComponent<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): { Component: LazyExoticComponent<ComponentType<Props>>; preload(): void } {
  return {
    Component: lazy<ComponentType<Props>>(async () => ({ default: (await loadPart(load))[name] })),
    // A failed preload is tried again when the component is drawn.
    preload: () => void load().catch(() => {}),
  };
}
