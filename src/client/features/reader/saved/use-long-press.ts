import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

const longPressMs = 500
/** A finger that moves further is scrolling. */
const maxMovePx = 10

/** Handlers for a control that does something else when it is held. `wasLong` tells its click to do nothing. */
export function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const start = useRef({ x: 0, y: 0 })
  const isLong = useRef(false)
  const cancel = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    wasLong: () => {
      const was = isLong.current
      isLong.current = false
      return was
    },
    onPointerDown: ({ button, clientX, clientY }: PointerEvent) => {
      if (button !== 0) return
      start.current = { x: clientX, y: clientY }
      isLong.current = false
      cancel()
      timer.current = setTimeout(() => {
        isLong.current = true
        onLongPress()
      }, longPressMs)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > maxMovePx) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onPointerLeave: cancel,
    // Holding a finger on it must not open the browser's menu on top.
    onContextMenu: (event: MouseEvent) => {
      if (isLong.current) event.preventDefault()
    },
  }
}
