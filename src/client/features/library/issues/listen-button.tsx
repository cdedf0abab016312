import { Headphones } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { QuietAction } from '#client/ui/button.tsx'

const ListenBar = lazy(() => import('./listen-bar.tsx'))
const RecordingPlayer = lazy(() => import('./recording-player.tsx'))

/** Plays the drop's recording, or else reads it aloud where the browser has a voice. */
export function ListenButton({ issueId, seconds }: { issueId: string; seconds: number | null }) {
  const [isListening, setIsListening] = useState(false)
  const [audio] = useState(() => (seconds ? new Audio() : null))
  const stop = useCallback(() => setIsListening(false), [])
  const handleClick = () => {
    // iPhones play and speak only what began in a tap; the code arrives later.
    if (audio) audio.load()
    else if (!isListening) speechSynthesis.speak(new SpeechSynthesisUtterance(''))
    setIsListening(!isListening)
  }
  if (!audio && !('speechSynthesis' in window)) return null
  return (
    <>
      <QuietAction icon={Headphones} aria-pressed={isListening} onClick={handleClick}>
        Listen{seconds && ` · ${Math.ceil(seconds / 60)} min`}
      </QuietAction>
      {isListening && (
        <Suspense fallback={null}>
          {audio ? <RecordingPlayer issueId={issueId} audio={audio} onClose={stop} /> : <ListenBar onClose={stop} />}
        </Suspense>
      )}
    </>
  )
}
