// page_visible.ts: whether somebody can see the page: its tab may be behind another, its window minimized.
import { Value } from "../value";

export const isPageVisible = new Value(!document.hidden);
document.addEventListener("visibilitychange", () => isPageVisible.set(!document.hidden));
