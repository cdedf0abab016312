import { useLayoutEffect, useRef } from 'react'

const durationMs = 190
const easing = 'cubic-bezier(0.2, 0.7, 0.3, 1)'

const itemsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>(':scope > [data-key]')]

/**
 * Animates a reordered list: call `capturePositions` before changing the order, and each item slides to its new position.
 * Items are identified by `data-key`. Respects reduced motion.
 */
export function useReorderAnimation<T extends HTMLElement>() {
  const listRef = useRef<T>(null)
  const positions = useRef<Map<string, DOMRect> | null>(null)

  const capturePositions = () => {
    const list = listRef.current
    if (!list) return
    positions.current = new Map(itemsOf(list).map((item) => [item.dataset.key ?? '', item.getBoundingClientRect()]))
  }

  useLayoutEffect(() => {
    const before = positions.current
    const list = listRef.current
    positions.current = null
    if (!before || !list || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const item of itemsOf(list)) {
      const from = before.get(item.dataset.key ?? '')
      const to = item.getBoundingClientRect()
      if (!from || (from.x === to.x && from.y === to.y)) continue
      const transform = `translate(${from.x - to.x}px, ${from.y - to.y}px)`
      item.animate([{ transform }, { transform: 'none' }], { duration: durationMs, easing })
    }
  })

  return { listRef, capturePositions }
}
