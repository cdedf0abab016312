import { useRef } from 'react'

/** Focuses an element that appears in answer to a tap, and not one that is there from the start. */
export function useFocusWhenShown() {
  const isExpected = useRef(false)
  return {
    focusWhenShown: () => {
      isExpected.current = true
    },
    ref: (element: HTMLElement | null) => {
      if (!isExpected.current || !element) return
      isExpected.current = false
      element.focus()
    },
  }
}
