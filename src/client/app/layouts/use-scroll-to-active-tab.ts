import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Room between the page's edge and an entry, in pixels: its word then stands where the page's text begins. */
const edge = 4

/** Browsers leave an entry where it is of which the last few pixels show. A finger's focus moves nothing: it would miss. */
function showFocused({ target }: FocusEvent) {
  if (!(target instanceof Element) || !target.matches(':focus-visible')) return
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** On a phone a list of pages may be wider than the screen: the entry of this page is kept in sight, however it is held. */
export function useScrollToActiveTab() {
  const list = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another entry
  useEffect(() => {
    const nav = list.current
    const entry = nav?.querySelector<HTMLElement>('a[aria-current=page]')
    if (!nav || !entry) return
    const sized = new ResizeObserver(() => {
      nav.scrollLeft = entry.offsetLeft - nav.offsetLeft - edge
    })
    sized.observe(nav)
    nav.addEventListener('focusin', showFocused)
    return () => {
      sized.disconnect()
      nav.removeEventListener('focusin', showFocused)
    }
  }, [pathname])
  return list
}
