(function (root) {
  root.classList.add("js");
  try {
    var theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (e) {}
  if (/[?&](q|category|sort|since|skill)=/.test(location.search)) root.classList.add("filtering");
})(document.documentElement);
