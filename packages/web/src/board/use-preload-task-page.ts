import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { prepareTaskSchemas } from "../api/prepare-schemas.ts";
import { useFormats } from "../i18n/locale.tsx";

/** Loads the code of a task's page, and what it reads first, while the browser is idle: it is what users open from a board. */
export function usePreloadTaskPage({ enabled }: { enabled: boolean }): void {
  const router = useRouter();
  const format = useFormats();
  useEffect(() => {
    if (!enabled) return;
    const load = () => {
      // a format is made when it is first used, which takes a millisecond each
      format.dateTime(0);
      format.duration(1500);
      format.money(1);
      // a failure is ignored: opening the page loads it again
      void Promise.all([
        router.loadRouteChunk(router.routesByPath["/t/$taskId"]),
        import("../markdown/markdown-block.tsx"),
        prepareTaskSchemas(),
      ]).catch(() => {});
    };
    return whenIdle(load);
  }, [enabled, format, router]);
}

/** A browser is idle before it has drawn what was just rendered, too: that comes first. */
function whenIdle(work: () => void): () => void {
  let cancel = () => {};
  const frame = requestAnimationFrame(() => {
    if (typeof requestIdleCallback === "function") {
      const request = requestIdleCallback(work, { timeout: 3000 });
      cancel = () => cancelIdleCallback(request);
    } else {
      const timer = setTimeout(work, 1000);
      cancel = () => clearTimeout(timer);
    }
  });
  return () => {
    cancelAnimationFrame(frame);
    cancel();
  };
}
