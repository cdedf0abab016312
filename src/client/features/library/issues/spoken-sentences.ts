export type SpokenSentence = { text: string; range: Range }

/** The title, the headings and the texts of a drop. */
const spoken = 'h1, h2, [aria-label="Editor’s note"] p, .prose'
/** Copy buttons, and what is only drawn. */
const skipped = 'button, [aria-hidden="true"], svg'
const block = 'h1, h2, h3, h4, p, li, td, th, pre'

/** The sentences of an article in reading order, each with its place on the page. Leaves out what isn't visible. */
export function findSpokenSentences(article: Element): SpokenSentence[] {
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
