(function (root) {
  root.classList.add("js");
  if ("showDirectoryPicker" in window) root.classList.add("picker");
  try {
    var theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (e) {}
  if (/[?&](q|category|sort|way|since|skill)=/.test(location.search)) {
    root.classList.add("filtering");
    // The page script has run by then, or never will.
    addEventListener("DOMContentLoaded", function () { root.classList.remove("filtering"); });
  }
  try {
    decodeURIComponent(location.hash);
  } catch (e) {
    // The application cannot start at an address that is not one.
    history.replaceState(history.state, "", location.pathname + location.search);
  }
})(document.documentElement);
