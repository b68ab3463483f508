import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { preloadPage, router } from "./app/router.tsx";
import { signInFromLaunchLink } from "./app/sign-in-from-launch-link.ts";
import { allowOwnWorkers } from "./app/trusted-types.ts";
import { LocaleProvider, loadOwnDictionary } from "./i18n/locale.tsx";
import { queryClient, startLive } from "./live/live.ts";
import { loadFirstData } from "./live/load-first-data.ts";
import { startNotifications } from "./notifications/start-notifications.ts";
import { teamMode } from "./preferences/team-mode.ts";
import { meQuery } from "./team/me.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root");

/** A page whose code takes longer shows the rest of the app meanwhile. */
const longestWaitMs = 300;

allowOwnWorkers();
void preloadPage();
await Promise.all([signInFromLaunchLink(), loadOwnDictionary()]);
// a control that the user may not use is never shown first
const [lastSeq] = await Promise.all([loadFirstData(), teamMode.isOn() ? queryClient.prefetchQuery(meQuery) : undefined]);
// with its code, so that the first render has all of it
await Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, longestWaitMs))]);
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <LocaleProvider>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LocaleProvider>
    </CSPProvider>
  </StrictMode>,
);
// After the page has opened its conversation, which must not miss an event; and after the first render, which it would delay.
setTimeout(() => startLive(lastSeq));
startNotifications({ openTask: (taskId) => void router.navigate({ to: "/t/$taskId", params: { taskId } }) });
