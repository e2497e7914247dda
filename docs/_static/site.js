// The colour buttons say which of them is pressed; paper is white. Choosing is the theme's own script.
(function (root) {
  "use strict";

  function show() {
    var mode = root.dataset.mode || "auto";
    document.querySelectorAll(".theme-change-button").forEach(function (button) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    });
  }

  new MutationObserver(show).observe(root, { attributeFilter: ["data-mode"] });
  document.addEventListener("DOMContentLoaded", show);

  var onScreen = root.dataset.theme;
  addEventListener("beforeprint", function () {
    onScreen = root.dataset.theme;
    root.dataset.theme = "light";
  });
  addEventListener("afterprint", function () {
    root.dataset.theme = onScreen;
  });
})(document.documentElement);
