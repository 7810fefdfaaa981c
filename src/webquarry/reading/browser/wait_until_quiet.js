([quiet, longest]) => new Promise(resolve => {
  const ends = performance.now() + longest;
  let timer;
  const finish = () => { observer.disconnect(); resolve(); };
  const wait = () => {
    clearTimeout(timer);
    const left = ends - performance.now();
    if (left <= 0) finish(); else timer = setTimeout(finish, Math.min(quiet, left));
  };
  const observer = new MutationObserver(wait);
  observer.observe(document, {childList: true, subtree: true, characterData: true});
  wait();
})
