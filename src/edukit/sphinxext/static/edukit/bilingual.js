/* The page works without this script: the switcher is made of plain links to the same page.
 * What it adds: the link leads to the heading that is being read, the choice is remembered on this
 * device, and a first-time visitor whose browser prefers another language is offered it.
 */
(() => {
  "use strict";

  const KEY = "bilingual-language";
  const here = document.documentElement.lang;
  const links = [...document.querySelectorAll(".bilingual-switcher a[hreflang]")];
  if (!links.length) return;

  // Storage is closed in private windows and in some readers of local files.
  const remembered = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  const remember = (language) => {
    try {
      localStorage.setItem(KEY, language);
    } catch {
      /* then it is asked again next time */
    }
  };

  // How pages in two languages are shown, see bilingual-view.js.
  const rememberView = (view) => {
    try {
      localStorage.setItem("bilingual-view", JSON.stringify({ ...JSON.parse(localStorage.getItem("bilingual-view")), view }));
    } catch {
      /* as above */
    }
  };

  // The place that is being read: the target of the address while it is in view, else the last heading
  // in the upper quarter of the window or above. The ids are the same in every language.
  const place = () => {
    let target = null;
    try {
      // #bilingual-both is a view and no place.
      target = location.hash && !location.hash.startsWith("#bilingual-both") && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {
      /* a stray % in the address */
    }
    if (target) {
      const box = target.getBoundingClientRect();
      if (box.bottom > 0 && box.top < innerHeight) return location.hash;
    }
    if (scrollY < 40) return "";
    let current = "";
    for (const section of document.querySelectorAll("section[id]")) {
      const heading = section.querySelector("h1, h2, h3, h4, h5, h6");
      if (!heading || heading.getBoundingClientRect().top > innerHeight / 4) continue;
      current = heading.tagName === "H1" ? "" : `#${encodeURIComponent(section.id)}`;
    }
    return current;
  };

  const addressOf = (link) => link.href.split("#")[0].split("?")[0] + location.search + place();

  const follow = (link, source) => {
    // Set just before the browser follows the link, so that a new tab or a copied address works too.
    const prepare = () => {
      link.href = addressOf(source);
    };
    for (const event of ["pointerdown", "keydown", "focus", "click"]) link.addEventListener(event, prepare);
    link.addEventListener("click", () => {
      remember(source.hreflang);
      // Who asks for one language wants one.
      rememberView("one");
    });
  };
  links.forEach((link) => follow(link, link));

  // To both languages at once: the view, and behind it the place.
  for (const link of document.querySelectorAll(".bilingual-switcher .bilingual-both")) {
    const source = links.find((one) => one.hreflang === link.dataset.of);
    if (!source) continue; // on this page already
    const prepare = () => {
      const [page, at] = addressOf(source).split("#");
      link.href = `${page}#bilingual-both${at ? `:${at}` : ""}`;
    };
    for (const event of ["pointerdown", "keydown", "focus", "click"]) link.addEventListener(event, prepare);
    link.addEventListener("click", () => remember(source.hreflang));
  }

  // -- the offer -------------------------------------------------------------------------------------

  // zh-Hans-CN and zh both mean zh-CN here; zh-Hant does not mean it when there is something nearer.
  const base = (tag) => tag.toLowerCase().split(/[-_]/)[0];
  const wanted = remembered() || navigator.languages?.find((tag) => [here, ...links.map((a) => a.hreflang)].some((own) => base(own) === base(tag)));
  if (!wanted || base(wanted) === base(here)) return;
  // A page that shows both languages has it already.
  const other = document.documentElement.dataset.bilingualView === "both" && document.querySelector(".translated-copy")?.lang;
  if (other && base(wanted) === base(other)) return;
  const link =
    links.find((a) => a.hreflang.toLowerCase() === wanted.toLowerCase()) ||
    links.find((a) => base(a.hreflang) === base(wanted));
  if (!link || !link.dataset.offer) return;

  const bar = document.createElement("aside");
  bar.className = "bilingual-offer";
  bar.lang = link.hreflang;
  bar.dir = link.dir;
  bar.setAttribute("aria-label", link.textContent.trim());
  const text = document.createElement("p");
  text.textContent = link.dataset.offer;
  const accept = document.createElement("a");
  accept.href = link.href;
  accept.hreflang = link.hreflang;
  accept.textContent = link.dataset.accept;
  follow(accept, link);
  const dismiss = document.createElement("button");
  dismiss.type = "button";
  dismiss.textContent = link.dataset.dismiss;
  dismiss.addEventListener("click", () => {
    remember(here);
    bar.remove();
    document.documentElement.style.scrollPaddingBottom = "";
  });
  bar.append(text, accept, dismiss);
  document.body.append(bar);
  // Nothing that gets the focus hides behind the bar.
  document.documentElement.style.scrollPaddingBottom = `${bar.offsetHeight + 8}px`;
})();
