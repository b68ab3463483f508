import { Suspense, useState } from "react";
import { Button } from "../ui/button.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { useGitHooksText } from "./use-git-hooks-text.ts";
import type { HookedAttempt } from "./use-hooks-plan.ts";

const HooksReviewDialog = lazyComponent(() => import("./hooks-review-dialog.tsx"), "HooksReviewDialog").Component;

/** Opens the hooks, to read and trust them. */
export function ReviewHooksButton(attempt: HookedAttempt) {
  const words = useGitHooksText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.review}</Button>
      {open && (
        <Suspense>
          <HooksReviewDialog {...attempt} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
