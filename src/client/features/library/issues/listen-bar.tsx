import { SkipBack, SkipForward } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ListenFrame, useSpeed } from './listen-frame.tsx'

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
  const speed = useSpeed()
  const sentence = sentences[at]

  useEffect(() => {
    if (!sentence) return onClose()
    CSS.highlights?.set(highlightName, new Highlight(sentence.range))
    bringIntoView(sentence.range)
    return () => void CSS.highlights?.delete(highlightName)
  }, [sentence, onClose])

  useEffect(() => {
    if (!sentence || !isPlaying) return
    const utterance = new SpeechSynthesisUtterance(sentence.text)
    utterance.rate = speed
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
    <ListenFrame
      isPlaying={isPlaying}
      onPlay={setIsPlaying}
      back={{ icon: SkipBack, label: 'Previous sentence', run: () => go(-1) }}
      ahead={{ icon: SkipForward, label: 'Next sentence', run: () => go(1) }}
      onClose={onClose}
      problem={hasFailed && 'This browser has no voice for this text. Check the speech settings of your device.'}
    />
  )
}

/** Scrolls only if the sentence is out of sight, so that readers can look around. */
function bringIntoView(range: Range) {
  const { top, bottom } = range.getBoundingClientRect()
  if (top >= 0 && bottom <= innerHeight * 0.8) return
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  range.startContainer.parentElement?.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' })
}
