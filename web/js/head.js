(function (root) {
  root.classList.add("js");
  if ("showDirectoryPicker" in window) root.classList.add("picker");
  try {
    var theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (e) {}
  if (/[?&](q|category|sort|since|skill)=/.test(location.search)) root.classList.add("filtering");
})(document.documentElement);
