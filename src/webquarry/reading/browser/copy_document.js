// Returns the HTML of the page or of one element, with shadow roots, without changing the page;
// bare: only what is inside of it.
(element, maxChars, bare) => {
  const skipped = ["STYLE", "LINK", "SCRIPT"];
  const copy = (node) => {
    const made = node.cloneNode(false);
    if (node.nodeName === "TEMPLATE") return made;
    for (const child of node.childNodes) made.append(copy(child));
    if (node.shadowRoot) {
      const shown = document.createElement("div");
      for (const child of node.shadowRoot.childNodes)
        if (!skipped.includes(child.nodeName)) shown.append(copy(child));
      made.append(shown);
    }
    return made;
  };
  if (!element) return copy(document.documentElement).outerHTML.slice(0, maxChars);
  const styles = [...document.querySelectorAll("style,title")].map((part) => part.outerHTML);
  const made = copy(element);
  if (bare) return `<section>${made.innerHTML.slice(0, maxChars)}</section>`;
  const body = made.outerHTML;
  return `<html><head>${styles.join("")}</head><body>${body}</body></html>`.slice(0, maxChars);
}
