/**
 * Ref of a navigation bar that is fixed to the bottom of the screen on a phone. Keeps `--bottom-bar` (styles.css) at its
 * height, which grows with the text, and at 0 where the bar is at the top.
 */
export function measureBottomBar(bar: HTMLElement | null) {
  if (!bar) return
  const { style } = document.documentElement
  const measure = () => {
    const isFixed = getComputedStyle(bar).position === 'fixed'
    style.setProperty('--bottom-bar', isFixed ? `${bar.offsetHeight}px` : '0px')
  }
  // Before the first paint; the observer reports after it.
  measure()
  const observer = new ResizeObserver(measure)
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--bottom-bar')
  }
}
