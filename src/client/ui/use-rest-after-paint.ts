import { startTransition, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Whether to render also what isn't on the screen. Unless it is true from the start, it turns true after the first paint, or
 * at once when the page is printed. The function makes it true, too.
 */
export function useRestAfterPaint(initially: boolean): readonly [boolean, () => void] {
  const [isComplete, setComplete] = useState(initially)
  useEffect(() => {
    const handlePrint = () => flushSync(() => setComplete(true))
    window.addEventListener('beforeprint', handlePrint)
    startTransition(() => setComplete(true))
    return () => window.removeEventListener('beforeprint', handlePrint)
  }, [])
  return [isComplete, () => setComplete(true)]
}
