import { type RefObject, useEffect, useState } from 'react'

/** Browsers load lazy images up to three screens ahead; on slow lines that delays what is on screen. */
const marginPx = 200

/** True once the element has been on screen, or nearly, or the page is printed. */
export function useNearViewport(element: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    const watched = element.current
    if (!watched || isNear) return
    const show = () => setIsNear(true)
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && show(), {
      rootMargin: `${marginPx}px`,
    })
    observer.observe(watched)
    window.addEventListener('beforeprint', show)
    return () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', show)
    }
  }, [element, isNear])
  return isNear
}
