/* How a page with two languages is to be shown. Loaded at once, before anything is drawn, so that the page
 * is drawn as it stays; what a reader then does is handled by bilingual-sides.js.
 */
(() => {
  "use strict";

  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem("bilingual-view"));
  } catch {
    /* no storage, or nothing that we have written: the page as it is */
  }
  const { view, first, cover } = kept || {};
  const { dataset } = document.documentElement;
  dataset.bilingualView = view === "both" || location.hash.startsWith("#bilingual-both") ? "both" : "one";
  dataset.bilingualFirst = first === "source" ? "source" : "translation";
  dataset.bilingualCover = cover === true ? "on" : "off";
  // What is covered can be uncovered only by the other script: if it does not come, nothing is.
  addEventListener("load", () => {
    if (!dataset.bilingualReady) dataset.bilingualCover = "off";
  });
})();
