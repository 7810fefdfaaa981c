async ({ scroll, milliseconds }) => {
  const deadline = performance.now() + milliseconds;
  const pause = (ms) => new Promise((done) => setTimeout(done, Math.max(0, ms)));
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const left = () => deadline - performance.now();
  if (scroll) {
    // images that load when they come into view
    const end = Math.min(document.documentElement.scrollHeight, 100000);
    for (let top = 0; top < end && left() > 0; top += innerHeight) {
      scrollTo({ top, behavior: "instant" });
      await Promise.race([frames(), pause(left())]);
    }
  }
  scrollTo({ top: 0, left: 0, behavior: "instant" });
  const images = [...document.images].filter((image) => image.currentSrc || image.src);
  const decoded = images.map((image) => image.decode().catch(() => {}));
  const fonts = document.fonts ? document.fonts.ready : null;
  await Promise.race([Promise.all([...decoded, fonts]), pause(left())]);
  // the next frame shows them
  await Promise.race([frames(), pause(200)]);
}
