(() => {
  "use strict";
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const shots = all("details.shot");

  // A link to a shot opens it.
  const openTarget = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target && target.matches("details.shot")) {
      target.open = true;
      target.scrollIntoView();
      find("summary", target).focus({ preventScroll: true });
    }
  };
  addEventListener("hashchange", openTarget);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#shot-"]');
    if (link && link.hash === location.hash) openTarget();
  });
  openTarget();

  // All shots at once; j and k walk through them.
  const openAll = find("#open-all");
  openAll.addEventListener("click", () => {
    const open = shots.some((shot) => !shot.open);
    shots.forEach((shot) => { shot.open = open; });
    openAll.textContent = open ? "Close all" : "Open all";
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== "j" && event.key !== "k")) return;
    const here = shots.indexOf(document.activeElement.closest("details.shot"));
    const next = shots[here + (event.key === "j" ? 1 : -1)];
    if (next) find("summary", next).focus();
  });

  // The film and the board move together. Shots start where the plan says, stretched to the film's true length.
  const film = find("#film");
  if (film) {
    const starts = film.dataset.starts.split(" ").map(Number);
    const total = starts[starts.length - 1];
    const stretch = () => (film.duration > 0 ? film.duration / total : 1);
    const playhead = find("#playhead");
    const scroller = find(".room > .scroller");
    let current = 0;
    const follow = () => {
      const now = film.currentTime / stretch();
      let shot = starts.findIndex((start) => start > now + 0.01);
      if (shot < 1) shot = starts.length - 1;
      playhead.hidden = false;
      if (shot === current) return;
      current = shot;
      playhead.style.gridColumn = `${2 * shot} / span 2`;
      all(".tile").forEach((tile) => {
        if (Number(tile.dataset.shot) === shot) {
          tile.setAttribute("aria-current", "true");
          const middle = tile.offsetLeft + tile.offsetWidth / 2;
          scroller.scrollTo({ left: middle - scroller.clientWidth / 2, behavior: "smooth" });
        } else tile.removeAttribute("aria-current");
      });
    };
    film.addEventListener("timeupdate", follow);
    film.addEventListener("seeked", follow);
    all("button.play").forEach((button) => {
      button.hidden = false;
      button.addEventListener("click", () => {
        film.currentTime = starts[button.dataset.shot - 1] * stretch() + 0.02;
        film.scrollIntoView();
        film.play().catch(() => {});
      });
    });
  }

  // A verdict's mark shows the frame and the words behind it, in a row below.
  const COLUMNS = 4, ROWS = 2;
  const span = (className, text) => {
    const made = document.createElement("span");
    made.className = className;
    made.textContent = text || "";
    return made;
  };
  const candidateOf = (mark) => {
    const cell = mark.closest("td");
    return parseInt(cell.closest("table").tHead.rows[0].cells[cell.cellIndex].textContent, 10);
  };
  const evidenceFrame = (mark) => {
    const shot = mark.closest("details.shot");
    const strip = find(`[data-candidate="${candidateOf(mark)}"] .strip img`, shot);
    const frame = Number(mark.dataset.f);
    if (!strip || mark.dataset.f === undefined || frame < 0 || frame >= COLUMNS * ROWS) return null;
    const made = span("evidence");
    const place = [(frame % COLUMNS) / (COLUMNS - 1), Math.floor(frame / COLUMNS) / (ROWS - 1)];
    made.style.backgroundImage = `url("${strip.getAttribute("src")}")`;
    made.style.backgroundPosition = place.map((part) => `${100 * part}%`).join(" ");
    if (strip.naturalWidth) made.style.aspectRatio = `${strip.naturalWidth / COLUMNS} / ${strip.naturalHeight / ROWS}`;
    if (mark.dataset.b) {
      const box = span("box");
      const sizes = mark.dataset.b.split(" ").map((part) => `${100 * part}%`);
      ["left", "top", "width", "height"].forEach((side, index) => { box.style[side] = sizes[index]; });
      made.append(box);
    }
    return made;
  };
  document.addEventListener("click", (event) => {
    const mark = event.target.closest("button.v");
    if (!mark) return;
    const row = mark.closest("tr");
    const open = mark.getAttribute("aria-expanded") === "true";
    all("button.v[aria-expanded]", row).forEach((other) => other.removeAttribute("aria-expanded"));
    if (row.nextElementSibling && row.nextElementSibling.matches(".seen")) row.nextElementSibling.remove();
    if (open) return;
    mark.setAttribute("aria-expanded", "true");
    const cell = document.createElement("td");
    cell.colSpan = row.children.length;
    const shown = evidenceFrame(mark);
    if (shown) cell.append(shown);
    const words = `Candidate ${candidateOf(mark)}, ${mark.getAttribute("aria-label")}: ${mark.title}`;
    cell.append(span("reason", words));
    const seen = document.createElement("tr");
    seen.className = "seen";
    seen.setAttribute("aria-live", "polite");
    seen.append(cell);
    row.after(seen);
  });
})();
