import { useEffect } from 'react'
import { useLocation } from 'react-router'

/**
 * Scrolls to the element that the address names after `#` and focuses it. The browser can't on its own, since the content
 * loads later. Render it with the content; the element needs the id and must be focusable.
 */
export function useLinkedElement() {
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again scrolls again
  useEffect(() => {
    const linked = hash && document.getElementById(hash.slice(1))
    if (!linked) return
    linked.scrollIntoView()
    linked.focus({ preventScroll: true })
  }, [hash, key])
}
