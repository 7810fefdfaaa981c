// Scrolls an element, or the page: its largest scrolling part if the document itself is not.
(element, value) => {
  const isScrolling = (part) =>
    part.scrollHeight > part.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(part).overflowY);
  const largest = () => {
    const parts = [...document.querySelectorAll("body *")].filter(isScrolling);
    const area = (part) => part.clientWidth * part.clientHeight;
    return parts.sort((one, other) => area(other) - area(one))[0];
  };
  const root = document.scrollingElement || document.documentElement;
  const scrolls = root.scrollHeight > root.clientHeight + 1;
  const part = element || (scrolls ? root : largest() || root);
  const page = part.clientHeight * 0.9;
  const top = { down: page, up: -page, bottom: part.scrollHeight, top: -part.scrollHeight }[value];
  part.scrollBy({ top: top === undefined ? Number(value) : top, behavior: "instant" });
}
