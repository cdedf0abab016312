import { createContext, useContext, useEffect, useState } from 'react'
import type { LandingSamples } from '#shared/contracts/landing-samples.ts'

/** What the page was rendered with; null on pages that came without samples. */
export const LandingSamplesContext = createContext<LandingSamples | null>(null)

/** The samples that came with the landing page, as the server has written them. */
export function readEmbeddedSamples(): LandingSamples | null {
  const text = document.getElementById('landing-samples')?.textContent
  return text ? (JSON.parse(text) as LandingSamples) : null
}

const noSamples: LandingSamples = { drop: null, prompt: null, guide: null, promptCount: 0, tool: null }
let fetched: Promise<LandingSamples> | null = null

/** The page reads well without samples, so that no answer is as good as none. */
const fetchSamples = (): Promise<LandingSamples> =>
  fetch('/landing-samples.json').then(
    (answer) => (answer.ok ? (answer.json() as Promise<LandingSamples>) : noSamples),
    () => noSamples,
  )

/** Null while they are on their way, for whoever comes to the landing page from another page. */
export function useLandingSamples(): LandingSamples | null {
  const given = useContext(LandingSamplesContext)
  const [late, setLate] = useState<LandingSamples | null>(null)
  useEffect(() => {
    if (given) return
    fetched ??= fetchSamples().finally(() => {
      fetched = null
    })
    let isGone = false
    void fetched.then((samples) => {
      if (!isGone) setLate(samples)
    })
    return () => {
      isGone = true
    }
  }, [given])
  return given ?? late
}
