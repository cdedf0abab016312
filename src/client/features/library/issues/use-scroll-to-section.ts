import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import type { OrderedSection } from './order-sections.ts'

/**
 * Scrolls to the section in the URL and moves the focus there: when the text has loaded, and after each click on a link to
 * a section. Back and forward keep the position that the browser restored.
 */
export function useScrollToSection(sections: readonly OrderedSection[]) {
  const { hash, key } = useLocation()
  const navigation = useNavigationType()
  const isLoaded = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per navigation, not when the preferences change
  useEffect(() => {
    const isFirst = !isLoaded.current
    isLoaded.current = true
    const wanted = hash.slice(1)
    if (!wanted || (!isFirst && navigation === 'POP')) return
    const anchor = sections.find(({ earlierAnchor }) => earlierAnchor === wanted)?.anchor ?? wanted
    const heading = document.getElementById(anchor)
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [hash, key])
}
