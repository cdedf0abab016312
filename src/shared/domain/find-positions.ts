import { proseLines, withoutCodeAndAddresses } from './prose-lines.ts'

const ordinals = 'first|second|third|fourth|fifth|sixth|last|next|previous|preceding|following|final'
const pieces = 'steps?|sections?|items?|parts?|pieces?|tips?|paragraphs?'

/** Phrases that only make sense in one order of the sections. */
const positions = [
  new RegExp(`\\bthe (?:${ordinals}) (?:${pieces})\\b`, 'i'),
  new RegExp(`\\b(?:earlier|later|previous|preceding|prior) (?:${pieces})\\b`, 'i'),
  new RegExp(`\\b(?:${pieces}) (?:above|below|before|after) (?:this|that|it)\\b`, 'i'),
  /\bthe (?:last|previous|next) one\b/i,
  /\bdo the (?:first|second|third|last|next)\b(?! (?:shift|week|month|day|quarter|year)\b)/i,
  /\b(?:mentioned|described|shown|explained|listed|made|written|used|seen|said) (?:earlier|above|below|before|already above)\b/i,
  /\b(?:as|see|from|look) (?:above|below)\b/i,
  /\b(?:list|table|prompt|text|example|script|card|sum|figures|numbers|rules|questions|lines|everything|all|anything|one|ones|sheet|form|steps?|sections?|form|note) (?:above|below)\b(?! (?:\$|\d|the |your |average|zero|cost|par|budget))/i,
  /\b(?:the|this|these) (?:above|below)\b/i,
  /\b(?:later|earlier|further (?:up|down)) in this (?:drop|issue)\b/i,
  /\bat the (?:top|start|beginning|end|bottom) of this (?:drop|issue|page)\b/i,
]

/** Phrases of a section that refer to a position, outside of prompts and code. Readers get the sections in another order. */
export const findPositions = (markdown: string): { line: number; phrase: string }[] =>
  proseLines(markdown).flatMap(({ line, text, isQuoted }) => {
    if (isQuoted) return []
    const prose = withoutCodeAndAddresses(text)
    const [found] = positions.flatMap((pattern) => pattern.exec(prose)?.[0] ?? [])
    return found === undefined ? [] : [{ line, phrase: found }]
  })
