import { Headphones } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { QuietAction } from '#client/ui/button.tsx'

const ListenBar = lazy(() => import('./listen-bar.tsx'))

/** Reads the drop aloud, where the browser has a voice. */
export function ListenButton() {
  const [isListening, setIsListening] = useState(false)
  const stop = useCallback(() => setIsListening(false), [])
  const handleClick = () => {
    // iPhones speak only after the first text was given in a tap; the bar's code arrives later.
    if (!isListening) speechSynthesis.speak(new SpeechSynthesisUtterance(''))
    setIsListening(!isListening)
  }
  if (!('speechSynthesis' in window)) return null
  return (
    <>
      <QuietAction icon={Headphones} aria-pressed={isListening} onClick={handleClick}>
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
