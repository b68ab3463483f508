import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** Loads the code of a task's page while the browser is idle: it is what users open from a board. */
export function usePreloadTaskPage({ enabled }: { enabled: boolean }): void {
  const router = useRouter();
  useEffect(() => {
    if (!enabled) return;
    // a failure is ignored: opening the page loads it again
    const load = () =>
      void Promise.all([router.loadRouteChunk(router.routesByPath["/t/$taskId"]), import("../markdown/markdown-block.tsx")]).catch(
        () => {},
      );
    if (typeof requestIdleCallback !== "function") {
      const timer = setTimeout(load, 1000);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(load, { timeout: 3000 });
    return () => cancelIdleCallback(request);
  }, [enabled, router]);
}
