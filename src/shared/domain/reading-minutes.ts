const wordsPerMinute = 220

/** Whole minutes at 220 words per minute, at least one. */
export function readingMinutes(issue: {
  worth: string
  intro: string
  closing: string
  sections: readonly { heading: string; summary: string; body: string }[]
}): number {
  const texts = [
    issue.worth,
    issue.intro,
    issue.closing,
    ...issue.sections.flatMap((s) => [s.heading, s.summary, s.body]),
  ]
  const words = texts.flatMap((text) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,:-]*/gu) ?? []).length
  return Math.max(1, Math.round(words / wordsPerMinute))
}
