// Runs before the first paint, and before the app has loaded.
(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be blocked; what the system says is the fallback.
      return null;
    }
  };
  const { dataset: page } = document.documentElement;
  const { pathname, search } = location;

  // Without it a dark page flashes white. The keys and values are those of src/preferences/theme.ts.
  const choice = read("skein.theme");
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  page.theme = dark ? "dark" : "light";
  page.density = read("skein.density") ?? "comfortable";
  page.motion = read("skein.motion") ?? "system";

  const [secret, project] = [read("skein.session"), read("skein.project")];
  if (!secret || pathname === "/launch") return;
  // Signed in, with a project: the frame of the page is drawn before the app has loaded.
  if (project) page.frame = "";

  // The page's data and code are requested at the same time as the app; src/api/early-overview.ts takes the answer.
  const [, place, id] = /^\/([pt])\/([^/]+)$/.exec(pathname) ?? [];
  const query = new URLSearchParams({ mergeMode: "live" });
  const attempt = new URLSearchParams(search).get("attempt");
  if (place === "t") query.set("taskId", id);
  if (place === "t" && attempt) query.set("attemptId", attempt);
  if (place !== "t" && (id ?? project)) query.set("projectId", id ?? project);
  globalThis.skeinOverview = fetch(`/api/overview?${query}`, { headers: { accept: "application/json", "skein-session": secret } });
  // handled where it is taken
  globalThis.skeinOverview.catch(() => {});

  const chunks = document.currentScript.dataset[place === "t" ? "task" : "board"] ?? "";
  if (place || pathname === "/") {
    for (const href of chunks.split(" ").filter(Boolean)) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href, crossOrigin: "" }));
    }
  }
})();
