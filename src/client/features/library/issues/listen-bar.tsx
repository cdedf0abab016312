import { Pause, Play, SkipBack, SkipForward, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { createStoredChoice } from '#client/lib/stored-choice.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { findSpokenSentences } from './spoken-sentences.ts'

const speeds = ['0.75', '1', '1.25', '1.5', '2']
const speedChoice = createStoredChoice('front-counter:speed')
const highlightName = 'spoken'

/** Here, because the build's parser of style sheets doesn't know `::highlight()`. */
const highlightStyles = new CSSStyleSheet()
highlightStyles.replaceSync(
  `::highlight(${highlightName}) { background-color: var(--accent-soft); color: var(--accent-ink) }`,
)
document.adoptedStyleSheets.push(highlightStyles)

/**
 * Reads the drop on the page aloud with the browser's voice, sentence by sentence, and marks the one that is spoken. Pausing
 * ends the sentence and continues with its start, since some browsers never resume.
 */
export default function ListenBar({ onClose }: { onClose: () => void }) {
  const [sentences] = useState(() => {
    const article = document.querySelector('main article')
    return article ? findSpokenSentences(article) : []
  })
  const [at, setAt] = useState(0)
  const [isPlaying, setIsPlaying] = useState(true)
  const [hasFailed, setHasFailed] = useState(false)
  const speed = speedChoice.useChoice() ?? '1'
  const sentence = sentences[at]
  const playButton = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    const opener = document.activeElement
    playButton.current?.focus()
    return () => {
      // The button that had the focus is gone.
      const isLost = document.activeElement === document.body
      if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])

  useEffect(() => {
    if (!sentence) return onClose()
    CSS.highlights?.set(highlightName, new Highlight(sentence.range))
    bringIntoView(sentence.range)
    return () => void CSS.highlights?.delete(highlightName)
  }, [sentence, onClose])

  useEffect(() => {
    if (!sentence || !isPlaying) return
    const utterance = new SpeechSynthesisUtterance(sentence.text)
    utterance.rate = Number(speed)
    utterance.lang = document.documentElement.lang
    utterance.onend = () => setAt((last) => last + 1)
    utterance.onerror = ({ error }) => {
      if (error === 'canceled' || error === 'interrupted') return
      setIsPlaying(false)
      setHasFailed(true)
    }
    speechSynthesis.speak(utterance)
    return () => {
      utterance.onend = null
      utterance.onerror = null
      speechSynthesis.cancel()
    }
  }, [sentence, isPlaying, speed])

  const go = (step: number) => setAt((last) => Math.min(Math.max(last + step, 0), sentences.length - 1))
  return (
    <section
      aria-label="Listen"
      data-floating-offer
      className="fixed inset-x-3 bottom-[calc(var(--bottom-bar)+0.75rem)] z-20 mx-auto max-w-md rounded-lg border border-line bg-surface px-2 py-1 shadow-float print:hidden"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-1">
        <div className="flex">
          <IconButton icon={SkipBack} label="Previous sentence" onClick={() => go(-1)} />
          <IconButton
            ref={playButton}
            icon={isPlaying ? Pause : Play}
            label={isPlaying ? 'Pause' : 'Play'}
            onClick={() => setIsPlaying(!isPlaying)}
          />
          <IconButton icon={SkipForward} label="Next sentence" onClick={() => go(1)} />
        </div>
        <label>
          <span className="sr-only">Speed</span>
          <select
            value={speed}
            onChange={({ target }) => speedChoice.choose(target.value)}
            className={`${inputStyles} w-auto! pointer-fine:text-sm!`}
          >
            {speeds.map((value) => (
              <option key={value} value={value}>
                {value} ×
              </option>
            ))}
          </select>
        </label>
        <IconButton icon={X} label="Stop listening" onClick={onClose} />
      </div>
      {hasFailed && (
        <p role="alert" className="px-2 pb-2 text-sm">
          This browser has no voice for this text. Check the speech settings of your device.
        </p>
      )}
    </section>
  )
}

/** Scrolls only if the sentence is out of sight, so that readers can look around. */
function bringIntoView(range: Range) {
  const { top, bottom } = range.getBoundingClientRect()
  if (top >= 0 && bottom <= innerHeight * 0.8) return
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  range.startContainer.parentElement?.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' })
}
