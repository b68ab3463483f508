// Runs before the first paint: without it a dark page flashes white. The keys and values are those of src/preferences/theme.ts.
(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be blocked; what the system says is the fallback.
      return null;
    }
  };
  const choice = read("skein.theme");
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const { dataset } = document.documentElement;
  dataset.theme = dark ? "dark" : "light";
  dataset.density = read("skein.density") ?? "comfortable";
  dataset.motion = read("skein.motion") ?? "system";
  // Signed in, with a project: the frame of the page is drawn before the app has loaded.
  if (read("skein.session") && read("skein.project") && location.pathname !== "/launch") dataset.frame = "";
})();
