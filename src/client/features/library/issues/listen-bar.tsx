import { Pause, Play, SkipBack, SkipForward, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { createStoredChoice } from '#client/lib/stored-choice.ts'
import { IconButton } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/form.tsx'

type SpokenSentence = { text: string; range: Range }

/** The title, the headings and the texts of a drop. */
const spoken = 'h1, h2, [aria-label="Editor’s note"] p, .prose'
/** Copy buttons, and what is only drawn. */
const skipped = 'button, [aria-hidden="true"], svg'
const block = 'h1, h2, h3, h4, p, li, td, th, pre'

/** The sentences of an article in reading order, each with its place on the page. Leaves out what isn't visible. */
function findSpokenSentences(article: Element): SpokenSentence[] {
  const blocks = new Map<Element, Text[]>()
  for (const part of article.querySelectorAll(spoken)) {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement
      if (!parent?.checkVisibility() || parent.closest(skipped)) continue
      const owner = parent.closest(block) ?? part
      blocks.set(owner, [...(blocks.get(owner) ?? []), node as Text])
    }
  }
  const segmenter = new Intl.Segmenter(document.documentElement.lang || 'en', { granularity: 'sentence' })
  return [...blocks.values()].flatMap((nodes) => splitSentences(nodes, segmenter))
}

function splitSentences(nodes: readonly Text[], segmenter: Intl.Segmenter): SpokenSentence[] {
  const whole = nodes.map(({ data }) => data).join('')
  return [...segmenter.segment(whole)].flatMap(({ segment, index }) => {
    const text = segment.trim()
    if (!/[\p{L}\p{N}]/u.test(text)) return []
    const range = document.createRange()
    const [first, from] = placeOf(nodes, index)
    const [last, to] = placeOf(nodes, index + segment.trimEnd().length)
    range.setStart(first, from)
    range.setEnd(last, to)
    return [{ text, range }]
  })
}

/** The node and the offset in it of a character of the joined texts. */
function placeOf(nodes: readonly Text[], at: number): [node: Text, offset: number] {
  let left = at
  for (const node of nodes) {
    if (left <= node.length) return [node, left]
    left -= node.length
  }
  throw new RangeError('The offset is beyond the text')
}

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
