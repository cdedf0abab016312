import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Space in pixels that aligns the active tab's label with the page's text. */
const insetPx = 4

/** Browsers don't scroll to a link that is partly visible. Focus by touch doesn't scroll, or the tap would miss. */
function scrollToFocused({ target }: FocusEvent) {
  if (!(target instanceof Element) || !target.matches(':focus-visible')) return
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Keeps the active tab visible when the row of tabs is wider than the screen, also after the phone is rotated. */
export function useScrollToActiveTab() {
  const list = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another active tab
  useEffect(() => {
    const nav = list.current
    const tab = nav?.querySelector<HTMLElement>('a[aria-current=page]')
    if (!nav || !tab) return
    const resizeObserver = new ResizeObserver(() => {
      nav.scrollLeft = tab.offsetLeft - nav.offsetLeft - insetPx
    })
    resizeObserver.observe(nav)
    nav.addEventListener('focusin', scrollToFocused)
    return () => {
      resizeObserver.disconnect()
      nav.removeEventListener('focusin', scrollToFocused)
    }
  }, [pathname])
  return list
}
