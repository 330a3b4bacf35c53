// What can be saved can be handed to another app instead, where the phone knows how; else it is saved as ever.
"use strict";
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-share]");
  if (!link || link.plain || !navigator.canShare) return;
  const probe = new File([""], "report.html", { type: "text/html" });
  if (!navigator.canShare({ files: [probe] })) return;
  event.preventDefault();
  try {
    const response = await fetch(link.href);
    const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "report.html";
    const file = new File([await response.blob()], name, { type: "text/html" });
    await navigator.share({ files: [file], title: link.dataset.share });
  } catch (error) {
    if (error.name === "AbortError") return;  // whoever thought better of it has not asked for a file
    link.plain = true;
    link.click();
    link.plain = false;
  }
});
