import { Headphones } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'

const ListenBar = lazy(() => import('./listen-bar.tsx'))

/** Reads the drop aloud, where the browser has a voice. */
export function ListenButton() {
  const [isListening, setIsListening] = useState(false)
  const stop = useCallback(() => setIsListening(false), [])
  if (!('speechSynthesis' in window)) return null
  return (
    <>
      <button
        type="button"
        aria-pressed={isListening}
        onClick={() => setIsListening(!isListening)}
        className="inline-flex min-h-11 items-center gap-1.5 rounded-md px-2.5 text-sm text-muted transition-colors hover:bg-sunken hover:text-ink"
      >
        <Headphones aria-hidden className="size-4.5 shrink-0" strokeWidth={1.75} />
        Listen
      </button>
      {isListening && (
        <Suspense fallback={null}>
          <ListenBar onClose={stop} />
        </Suspense>
      )}
    </>
  )
}
