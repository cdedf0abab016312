import { Headphones } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { QuietAction } from '#client/ui/quiet-action.tsx'

const ListenBar = lazy(() => import('./listen-bar.tsx'))

/** Reads the drop aloud, where the browser has a voice. */
export function ListenButton() {
  const [isListening, setIsListening] = useState(false)
  const stop = useCallback(() => setIsListening(false), [])
  if (!('speechSynthesis' in window)) return null
  return (
    <>
      <QuietAction icon={Headphones} aria-pressed={isListening} onClick={() => setIsListening(!isListening)}>
        Listen
      </QuietAction>
      {isListening && (
        <Suspense fallback={null}>
          <ListenBar onClose={stop} />
        </Suspense>
      )}
    </>
  )
}
