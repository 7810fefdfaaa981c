maxChars => {
  const open = root => {
    for (const host of root.querySelectorAll('*')) {
      if (!host.shadowRoot) continue;
      open(host.shadowRoot);
      const shown = document.createElement('div');
      for (const node of host.shadowRoot.childNodes)
        if (!['STYLE', 'LINK', 'SCRIPT'].includes(node.nodeName))
          shown.append(node.cloneNode(true));
      host.append(shown);
    }
  };
  open(document);
  return document.documentElement.outerHTML.slice(0, maxChars);
}
