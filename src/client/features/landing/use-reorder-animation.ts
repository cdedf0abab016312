import { useLayoutEffect, useRef } from 'react'

const durationMs = 190
const easing = 'cubic-bezier(0.2, 0.7, 0.3, 1)'

const itemsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>(':scope > [data-key]')]

/**
 * Shows where the items of a re-ordered list went: call `remember` before changing the order, and each item slides from
 * its old place to the new one. Items are known by `data-key`. Nothing moves when the system asks for reduced motion.
 */
export function useReorderAnimation<T extends HTMLElement>() {
  const listRef = useRef<T>(null)
  const places = useRef<Map<string, number> | null>(null)

  const remember = () => {
    const list = listRef.current
    if (!list) return
    places.current = new Map(itemsOf(list).map((item) => [item.dataset.key ?? '', item.getBoundingClientRect().top]))
  }

  useLayoutEffect(() => {
    const before = places.current
    const list = listRef.current
    places.current = null
    if (!before || !list || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const item of itemsOf(list)) {
      const moved = (before.get(item.dataset.key ?? '') ?? 0) - item.getBoundingClientRect().top
      if (moved === 0) continue
      item.animate([{ transform: `translateY(${moved}px)` }, { transform: 'none' }], { duration: durationMs, easing })
    }
  })

  return { listRef, remember }
}
