import { queryOptions } from "@tanstack/react-query";
import { request } from "../api/request.ts";
import { teamMode } from "../preferences/team-mode.ts";

/** How users sign in, if the server has any. */
export const signInQuery = queryOptions({
  queryKey: ["sign-in"],
  queryFn: async ({ signal }) => {
    const options = await request("/api/sign-in", { answer: "teamSignIn", signal });
    teamMode.set(options.team);
    return options;
  },
  refetchOnMount: "always",
  retry: false,
});
